"""The one shape of a foreign row shape: how it is recognised, how it is judged, what else it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from denominator.importers.columns import Cells
from denominator.importers.judgements import Judgement, no_judgement
from denominator.importers.raw import RawRow
from denominator.importers.stated import Stated


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A row shape that people already have.

    It is recognised when some row holds every key of `signs` (and `test`, if given, agrees). `judges` is the column
    that it takes the outcome from: rows that hold two such columns are ambiguous. `prepare` adds columns that follow
    from other rows and from what the documents state. `trials`: every row is a trial of its own. `needs` are
    companion roles without which nothing can be claimed (a block), `wants` those whose absence is a note.
    `unjudged` says what the rows show that nothing judges yet.
    """

    name: str
    method: str
    what: str
    example: str
    signs: frozenset[str]
    judge: Callable[[Cells], Judgement] = no_judgement
    judges: str = ""
    renames: Mapping[str, str] = field(default_factory=dict)
    test: Callable[[Sequence[RawRow]], bool] | None = None
    prepare: Callable[[Sequence[RawRow], Stated], tuple[RawRow, ...]] | None = None
    needs: tuple[str, ...] = ()
    wants: tuple[str, ...] = ("manifest",)
    grouped: bool = False
    trials: bool = False
    unjudged: str = ""

    def fits(self, rows: Sequence[RawRow]) -> bool:
        """Do these rows have this shape?"""
        if not any(self.signs <= row.value.keys() for row in rows):
            return False
        return self.test is None or self.test(rows)
