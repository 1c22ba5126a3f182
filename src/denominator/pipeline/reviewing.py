"""People at the end: what is reviewed, who reviews, how far they agree. `reviewing_out.py` makes sheets,
`reviewing_in.py` takes them in, `adjudicating.py` settles what is disputed, `people.py` keeps it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from denominator.errors import InputError
from denominator.judge import judge
from denominator.ledger.audit import distinct_rows
from denominator.pipeline.house import house_rules
from denominator.pipeline.results import Result, judge_run, judge_saved
from denominator.pipeline.world import OpenRun
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.reviews import AxisAgreement, PairAgreement
from denominator.records.rows import AttemptRow
from denominator.records.values import is_placeholder
from denominator.review import OPEN_AXES, agreement, allowed_values, axes_asked, key_name, row_name
from denominator.review.deciding import by_person, one_name
from denominator.wire.reading import nearest

NAME_CHARS = 60
AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is reviewed: a run of ours or an import, judged as it stands, and the folder that keeps its labels."""

    name: str
    folder: Path
    result: Result
    run: OpenRun | None = None

    def rows(self) -> dict[AttemptKey, AttemptRow]:
        """Its rows by key."""
        return {row.key: row for row in distinct_rows(self.result.ledger.rows)}

    def derived(self) -> tuple[Label, ...]:
        """The labels that it is judged by, people's decisions in their place."""
        labels = self.result.judged.labels
        return labels[: len(labels) - len(self.result.ledger.labels)]

    def without_people(self) -> Subject:
        """The same, judged by the rules alone."""
        ledger, terms = self.result.ledger, self.result.terms
        alone = replace(ledger, labels=tuple(label for label in ledger.labels if not by_person(label)))
        return replace(self, result=replace(self.result, ledger=alone, judged=judge(alone, terms, house_rules())))

    def allowed(self) -> Mapping[str, tuple[str, ...]]:
        """What people may say about it."""
        return allowed_values(self.result.terms.house_reasons)


def of_run(run: OpenRun) -> Subject:
    """A run of ours."""
    return Subject(name=run.run_id, folder=run.folder.root, result=judge_run(run), run=run)


def of_import(folder: Path) -> Subject:
    """The kept folder of an import."""
    return Subject(name=str(folder), folder=folder, result=judge_saved(folder))


def agreement_of(subject: Subject, axes: Sequence[str] = ()) -> tuple[AxisAgreement, ...]:
    """How far people agree, axis by axis; without `axes` those on which anybody said anything."""
    people = [label for label in subject.result.ledger.labels if by_person(label)]
    rules, allowed = subject.without_people().derived(), subject.allowed()
    wanted = axes_of(axes) if axes else [str(axis) for axis in OPEN_AXES if any(one.axis == axis for one in people)]
    found = (
        agreement(axis, len(allowed[axis]), people, {one.key: one.value for one in rules if one.axis == axis})
        for axis in wanted
    )
    return tuple(map(_unsplit, found)) if subject.result.judged.split_hidden else tuple(found)


def _unsplit(one: AxisAgreement) -> AxisAgreement:
    """Only where two differ: how many rows both call a pass is what a violated control hides."""

    def differing(pair: PairAgreement) -> PairAgreement:
        return replace(pair, confusion=tuple(cell for cell in pair.confusion if cell.first != cell.second))

    return replace(one, pairs=tuple(map(differing, one.pairs)), rules=differing(one.rules))


def find_row(subject: Subject, name: str) -> AttemptKey:
    """The row that a name means: TASK, TASK#REPEAT, TASK#REPEAT.ATTEMPT, or its name on a sheet."""
    keys = list(subject.rows())
    found = [key for key in keys if name in (row_name(key), key_name(key), key.task_id, f"{key.task_id}#{key.repeat}")]
    if len(found) == 1:
        return found[0]
    if not found:
        fix = nearest(name, (key.task_id for key in keys))
        raise InputError(f"no row is called {name!r}", where=subject.name, fix=fix)
    fix = f"one of: {', '.join(f'{row_name(key)} ({key_name(key)})' for key in found[:12])}"
    raise InputError(f"{len(found)} rows are called {name!r}", where=subject.name, fix=fix)


def labeler_name(name: str, where: str) -> str:
    """A name as it is recorded: one person, one spelling."""
    found = one_name(name)
    if is_placeholder(found) or not found.isprintable() or len(found) > NAME_CHARS:
        raise InputError(f"{name!r:.40} names no person", where=where, fix=f"a name of at most {NAME_CHARS} characters")
    return found


def refuse_time(at: str) -> None:
    """A time is UTC and real."""
    try:
        if AT.match(at) and datetime.fromisoformat(at):
            return
    except ValueError:
        pass
    raise InputError(f"{at!r:.40} is no UTC time", where="--at", fix="as in 2026-11-29T14:30:00Z")


def axes_of(wanted: Iterable[str]) -> tuple[str, ...]:
    """Axes that are open to people, in the order of a sheet. Raises InputError for any other."""
    words = [str(word).strip() for word in wanted]
    strange = sorted({*words} - {str(axis) for axis in OPEN_AXES})
    if strange or not words:
        fix = f"one of: {', '.join(OPEN_AXES)}"
        raise InputError(
            f"{', '.join(strange) or 'nothing'} is no axis that is open to people", where="--axis", fix=fix
        )
    return axes_asked(words)
