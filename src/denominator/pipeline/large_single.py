"""One row of a long foreign file, read in full by the functions that read a short file; and what is known of all rows like it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from denominator.importers.attempts import Built, Reading, build
from denominator.importers.columnmap import chosen
from denominator.importers.raw import RawRow
from denominator.importers.runs import one_arm
from denominator.importers.values import scalar_text
from denominator.pipeline.foreign_columns import READ_BY_RULES
from denominator.pipeline.large_columns import Plan
from denominator.pipeline.large_lines import FARTHEST
from denominator.pipeline.large_told import Told
from denominator.pipeline.row_kinds import numbers_of
from denominator.pipeline.row_numbering import Kinds
from denominator.records.draws import ELSEWHERE, NUMBERS
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Defect
from denominator.records.source_said import COLUMN, said_text

ASIDE = -1
"""The kind of rows that are not looked at."""


class UnusualError(Exception):
    """This file is not for this road: it is read the long way."""


class Known(NamedTuple):
    """What every row of one kind of line is: its kind, its numbers, and which of them each row has itself (place among all
    numbers, place among the open columns)."""

    kind: int
    numbers: tuple[int, ...]
    opened: tuple[tuple[int, int], ...]


LEFT = Known(ASIDE, (ELSEWHERE,) * len(NUMBERS), ())
"""Rows that are not looked at."""


class Spied(dict[str, Any]):
    """A row that remembers which of its keys were asked for by name."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        super().__init__(value)
        self.asked: set[object] = set()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.asked.add(key)
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """As of any dict."""
        self.asked.add(key)
        return super().get(key, default)


@dataclass(slots=True)
class Singles:
    """Reads rows of one file in full; only those are looked at whose columns hold what `where` says.

    `keys` are all that its rows hold, `arms` a row of each, `runs` those that are named.
    """

    name: str
    run_id: str
    reading: Reading
    kinds: Kinds
    where: Mapping[str, str] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)
    arms: dict[str, RawRow] = field(default_factory=dict)
    runs: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)

    def chosen(self, value: Mapping[str, Any]) -> bool:
        """Is this row looked at?"""
        return not self.where or bool(chosen([RawRow(self.name, 0, "", value)], self.where))

    def read(self, line: int, sha: str, value: Mapping[str, Any]) -> AttemptRow | None:
        """A row, and what is wrong with it goes to the defects; None where it is none."""
        built = self._built(RawRow(self.name, line, sha, value))
        self.defects += built.defects
        return said_of(built.rows[0], built.labels) if built.rows else None

    def known(self, line: int, sha: str, value: Mapping[str, Any], plan: Plan, told: Sequence[object]) -> Known | None:
        """What is known of all rows like this one; None where it stands for itself alone. `told` are its open values."""
        spied = Spied(value)
        built = self._built(RawRow(self.name, line, sha, spied))
        if not built.rows or built.defects or spied.asked & plan.beside:
            return None
        row = said_of(built.rows[0], built.labels)
        numbers, opened = numbers_of(row), []
        for at, (_, which, _) in enumerate(plan.opened):
            if which < 0 or told[at] is None:
                continue
            if numbers[which] == told[at]:
                opened.append((which, at))
            elif numbers[which] != ELSEWHERE:
                return None
        return Known(self.number(row), numbers, tuple(opened))

    def take(self, told: Told) -> None:
        """What another process found in other rows. InputError: their arm is another one."""
        self.defects += told.defects
        self.runs |= told.runs
        self.keys |= told.keys
        self.mixed(told.arms)

    def number(self, row: AttemptRow) -> int:
        """The number of a row's kind, which is without the columns that no rule reads."""
        extra = {name: value for name, value in row.extra.items() if name in READ_BY_RULES}
        return self.kinds.number(replace(row, extra=extra))

    def mixed(self, rows: Mapping[str, RawRow]) -> None:
        """Rows of two arms are never mixed. InputError: they are."""
        self.arms |= {name: row for name, row in rows.items() if name not in self.arms}
        if len(self.arms) > 1:
            one_arm([*self.arms.values()])

    def _built(self, raw: RawRow) -> Built:
        """UnusualError: a row that the terms speak of, or one far away."""
        value = dict(raw.value)
        if (arm := value.get("arm")) is not None and scalar_text(arm) not in self.arms:
            self.mixed({scalar_text(arm): replace(raw, value=value)})
        if isinstance(run := value.get("run_id"), str) and run:
            self.runs.add(run)
        built = build([raw], self.reading, self.run_id)
        if built.rows:
            self.keys.update(value)
            row = built.rows[0]
            if row.green_without_agent is True or row.key.repeat >= FARTHEST or row.key.attempt >= FARTHEST:
                raise UnusualError("a row that the terms speak of")
        return built


def said_of(row: AttemptRow, labels: Sequence[Label]) -> AttemptRow:
    """The row with what its source thinks of it inside."""
    return replace(row, extra={**row.extra, COLUMN: said_text(labels)}) if labels else row
