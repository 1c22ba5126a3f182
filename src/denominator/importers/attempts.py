"""Raw rows -> attempt rows with their imported labels. A row that cannot be read keeps its place and blocks by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from denominator.importers.columns import Cells, read_cells
from denominator.importers.declared import SLICES, Place, stratum_of
from denominator.importers.facts import facts_of
from denominator.importers.judgements import REASONS, Judgement, labels
from denominator.importers.manifest import Stated
from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Defect
from denominator.records.values import NotMeasured
from denominator.records.words import Control, Mix, Slice, StopReason
from denominator.wire.names import id_problem

BUCKETS = frozenset(word.value for word in Mix)
STOPS = frozenset(word.value for word in StopReason)
CONTROLS = frozenset(word.value for word in Control)
ROW_FIELDS = frozenset(one.name for one in fields(AttemptRow))


@dataclass(slots=True)
class Built:
    """Rows, labels and defects so far; `cells` are the read columns of each row, in the same order."""

    run_id: str
    rows: list[AttemptRow] = field(default_factory=list)
    cells: list[Cells] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    defects: list[Defect] = field(default_factory=list)

    def refuse(self, kind: str, raw: RawRow, what: str, task_id: str = "", *, blocks: bool = True) -> None:
        """Note what is wrong with a row, by line and, where legible, by task."""
        keys = (task_id,) if task_id else ()
        self.defects.append(Defect(kind=kind, where=raw.where, what=what, keys=keys, blocks=blocks))


@dataclass(frozen=True, slots=True)
class Reading:
    """How rows are read: shape, what the manifest states, what a task list says, which columns a map lets through."""

    shape: Shape
    stated: Stated
    places: Mapping[str, Place]
    tasks: Mapping[str, Cells]
    only: frozenset[str] | None = None


def build(raws: Iterable[RawRow], reading: Reading, run_id: str) -> Built:
    """Every raw row as an attempt row."""
    built = Built(run_id)
    for raw in raws:
        cells = read_cells(raw, reading.shape.renames, reading.only)
        task_id = cells.text("task_id")
        if not task_id or (why := id_problem(task_id)):
            what = f"task_id {task_id!r} {why}" if task_id else "no readable task_id"
            built.refuse("refused_id" if task_id else "bad_row", raw, what, task_id)
            continue
        _one(built, reading, cells, task_id)
    return built


def _one(built: Built, reading: Reading, cells: Cells, task_id: str) -> None:
    key = AttemptKey(built.run_id, task_id, cells.number("repeat") or 1, cells.number("attempt") or 1)
    found = reading.shape.judge(cells)
    facts = facts_of(cells)
    _check(built, reading, cells, task_id, found)
    readable = not cells.problems and not found.problem
    place = place_of(reading, cells, task_id)
    row = AttemptRow(
        key=key,
        slice=place.slice,
        control=place.control,
        stratum=place.stratum,
        source=cells.raw.source,
        started=True,
        closed=readable,
        incarnations=1,
        extra=cells.extra,
        **(_as_fields(facts) if readable else {"notes": ("this row could not be read: see the defects",)}),
    )
    row = _from_task(row, reading.tasks.get(task_id))
    if any(note.startswith("clock_anomaly") for note in row.notes):
        built.refuse("clock_anomaly", cells.raw, f"{task_id}: {row.notes[0]}", task_id, blocks=False)
    built.rows.append(row)
    built.cells.append(cells)
    if readable:
        built.labels.extend(labels(key, cells, found))


def _as_fields(facts: Mapping[str, object]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name in ROW_FIELDS}


def _check(built: Built, reading: Reading, cells: Cells, task_id: str, found: Judgement) -> None:
    """Values, vocabularies and contradictions of one row."""
    for problem in cells.problems:
        kind = "accounting_anomaly" if problem.startswith("usage: accounting") else "bad_value"
        built.refuse(kind, cells.raw, problem, task_id)
    if found.problem:
        built.refuse(found.kind, cells.raw, found.problem, task_id)
    reason = cells.text("reason") or found.reason
    if reason and reason not in REASONS and reason not in reading.stated.house_reasons:
        built.refuse("unknown_reason", cells.raw, f"reason: {reason[:60]!r} is not in the closed list", task_id)
    for column, words in (("bucket", BUCKETS), ("stop_reason", STOPS), ("slice", SLICES)):
        word = cells.text(column)
        if word and word not in words and not (column == "stop_reason" and found.kind):
            built.refuse("unknown_word", cells.raw, f"{column}: {word[:40]!r} is not in the closed list", task_id)
    if cells.flag("excluded_after_lock"):
        blocks = reading.stated.exclusion_forbidden
        what = f"{task_id} was excluded after the contract was locked: that is a new study"
        built.refuse("post_lock_exclusion", cells.raw, what, task_id, blocks=blocks)
    if found.outcome == "pass" and stopped_by_limit(cells) and reading.stated.on_timeout is None:
        what = f"{task_id} passed after a limit had ended it, and nothing says whether that counts (on_timeout)"
        built.refuse("late_pass_without_policy", cells.raw, what, task_id)
    if cells.flag("abstained") and found.outcome == "pass":
        built.refuse("contradiction", cells.raw, f"{task_id} abstained and passed", task_id)


def stopped_by_limit(cells: Cells) -> bool:
    """Does the source say that time or a budget ended the row?"""
    return cells.text("stop_reason") in (StopReason.TIMEOUT, StopReason.BUDGET) or cells.flag("timeout") is True


def place_of(reading: Reading, cells: Cells, task_id: str) -> Place:
    """Slice, control and stratum: the manifest's control list first, then the task list, then the row itself."""
    stratum = cells.text("stratum") or stratum_of(task_id, reading.stated.strata)[0]
    if task_id in reading.places:
        return replace(reading.places[task_id], stratum=reading.places[task_id].stratum or stratum)
    place = own_place(cells)
    return replace(place, stratum=stratum)


def own_place(cells: Cells) -> Place:
    """What a row or a task card says about its slice and control."""
    word = SLICES.get(cells.text("slice"), Slice.SOLVABLE)
    expected = cells.text("expected")
    if cells.flag("negative_control"):
        green = cells.flag("tests_without_agent_pass")
        return Place(Slice.NEGATIVE, Control.NOOP_MUST_STAY_GREEN if green else Control.MUST_FAIL)
    if expected in CONTROLS:
        return Place(Slice.NEGATIVE, expected)
    if expected in ("fail", "fail_or_abstain", "abstain"):
        asks = cells.flag("required_missing") is True
        return Place(Slice.NEGATIVE, Control.MUST_ASK if asks else Control.MUST_FAIL)
    by_slice = {Slice.CANARY: Control.CANARY, Slice.FLOOR: Control.FLOOR, Slice.NEGATIVE: Control.MUST_FAIL}
    return Place(word, by_slice.get(Slice(word), ""))


def _from_task(row: AttemptRow, task: Cells | None) -> AttemptRow:
    """Facts of the task card that the row itself does not hold."""
    if task is None:
        return row
    extra = dict(row.extra)
    extra.update({key: text for key, text in task.extra.items() if key not in extra})
    missing = row.required_missing
    if not missing and task.flag("required_missing") and isinstance(row.asked, bool | NotMeasured):
        missing = ("a required file, not named by the source",)
    return replace(row, extra=extra, required_missing=missing)
