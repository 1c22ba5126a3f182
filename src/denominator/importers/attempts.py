"""Raw rows -> attempt rows with their imported labels. A row that cannot be read keeps its place and blocks by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from denominator.importers.beyond import beyond_in_cells
from denominator.importers.boxes import with_promised_memory
from denominator.importers.cards import Cards, with_card
from denominator.importers.columns import Cells, read_cells
from denominator.importers.declared import SLICES, Place, stratum_of
from denominator.importers.endings import RUN_CAPS
from denominator.importers.facts import facts_of
from denominator.importers.files import folder_of
from denominator.importers.judgements import REASONS, Judgement, labels
from denominator.importers.leaks import Scans, leaks_read
from denominator.importers.logs import tell, with_run
from denominator.importers.raw import RawRow, json_text
from denominator.importers.shapes.base import Shape
from denominator.importers.stated import Stated
from denominator.importers.surfaces import Frozen, surface_facts
from denominator.importers.toolcalls import argument_texts
from denominator.importers.verdicts import verdict_of
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Defect, Failure, PatchFacts
from denominator.records.words import Control, Grade, Mix, Phase, Reason, Slice, StopReason, Writer
from denominator.wire.names import id_problem

BUCKETS = frozenset(word.value for word in Mix)
STOPS = frozenset(word.value for word in StopReason) | RUN_CAPS
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
    """How rows are read: shape, manifest, task cards, the columns that a map lets through, specification, scans."""

    shape: Shape
    stated: Stated
    places: Mapping[str, Place]
    cards: Cards
    only: frozenset[str] | None = None
    frozen: Frozen = field(default_factory=Frozen)
    scans: Scans = field(default_factory=Scans)


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
    told = tell(cells)
    found = reading.shape.judge(cells)
    facts = facts_of(cells)
    place = place_of(reading, cells, task_id)
    row = AttemptRow(
        key=key,
        slice=place.slice,
        control=place.control,
        stratum=place.stratum,
        source=cells.raw.source,
        numbered=cells.number("attempt") is not None,
        started=True,
        incarnations=1,
        extra={**cells.extra, **_run_of(cells, built.run_id)},
    )
    card = reading.cards.of(task_id, folder_of(cells.raw.file))
    seen, leak = with_card(replace(row, closed=True, **_as_fields(facts)), cells, card)
    seen = with_run(_tampered(_beside(reading, seen, cells), cells), cells, told, reading.stated.network or "")
    seen = with_promised_memory(seen, reading.stated.environment)
    _check(built, reading, cells, task_id, found)
    readable = not cells.problems and not found.problem
    row = _by_sealed_grader(built, reading, seen, cells) if readable else _unreadable(row, seen, cells, found)
    clock = next((note for note in row.notes if note.startswith(CLOCK)), "")
    if clock:
        built.refuse("clock_anomaly", cells.raw, f"{task_id}: {clock.removeprefix(CLOCK)}", task_id, blocks=False)
    if leak:
        built.refuse("canary_echo", cells.raw, f"{task_id}: {leak}", task_id, blocks=False)
    built.rows.append(row)
    built.cells.append(cells)
    if readable:
        built.labels.extend(labels(key, cells, found))


def _run_of(cells: Cells, run_id: str) -> dict[str, str]:
    """A row of a batch of runs keeps the id of its own run."""
    own = cells.text("run_id")
    return {"run_id": json_text(own)} if own and own != run_id else {}


def _beside(reading: Reading, row: AttemptRow, cells: Cells) -> AttemptRow:
    """What a frozen specification and a scan of the pack, if they lie beside the rows, add to a row."""
    if "called" in cells.known:
        row = replace(row, surfaces=surface_facts(cells, reading.frozen))
    if beyond := beyond_in_cells(cells):
        row = replace(row, looked_beyond=beyond)
    scan = reading.scans.of(row.key.task_id)
    return replace(row, leaks_read=leaks_read(argument_texts(cells), scan)) if scan else row


def _unreadable(row: AttemptRow, seen: AttemptRow, cells: Cells, found: Judgement) -> AttemptRow:
    """A row that blocks: none of its facts count, but for the failure that explains a word nobody knows (`error`)."""
    told = seen.first_unrecovered if found.kind == "unknown_outcome" and not cells.problems else None
    return replace(row, closed=True, first_unrecovered=told, notes=UNREADABLE)


CLOCK = "clock_anomaly: "
UNREADABLE = ("this row could not be read: see the defects",)


def _tampered(row: AttemptRow, cells: Cells) -> AttemptRow:
    """A verdict that the agent wrote is none. A verifier that contradicts itself is broken, unless the agent slipped."""
    if cells.names("tampered_files"):
        return replace(row, grade=Grade.TAMPERED, tampering=("verdict",), first_unrecovered=None)
    if verdict_of(cells).disagrees and isinstance(row.patch, PatchFacts) and row.patch.outside:
        return replace(row, grade=Grade.TAMPERED, first_unrecovered=None)
    return row


def _by_sealed_grader(built: Built, reading: Reading, row: AttemptRow, cells: Cells) -> AttemptRow:
    """A row that another verify script graded has no verdict, whatever it says."""
    sealed, used = reading.stated.verify_shas.get(row.key.task_id), cells.text("verify_sha_used")
    if not sealed or not used or sealed == used:
        return row
    what = f"{row.key.task_id} attempt {row.key.attempt}: graded by verify script {used[:12]}, sealed is {sealed[:12]}"
    built.refuse("changed_seal", cells.raw, what, row.key.task_id)
    broken = Failure(seq=cells.raw.line, cause=Reason.GRADER_ERROR, writer=Writer.VERIFIER, phase=Phase.VERIFY)
    return replace(row, grade=Grade.NONE, first_unrecovered=broken)


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
    if cells.flag("abstained") and found.outcome == "pass":
        built.refuse("contradiction", cells.raw, f"{task_id} abstained and passed", task_id)


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
