"""May a run be cited? A closed table of sealed rules of citation, each a list of conditions that have to hold.

`first-complete` is METHODS M15, `failure-classes` M13, `frozen-envelope` M9; `never` is an answer too. Anything else is a
rule in free words: it is printed as it was written, and a person must check it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from denominator.gate.flips_above_ceiling import above_ceiling
from denominator.gate.known import calls_no_model, dates_of, seeds_of, stated, tasks_of
from denominator.gate.shape import counted
from denominator.records.citations import Citation, Lack
from denominator.records.findings import Verdict
from denominator.records.judgements import SCORED, Sheet
from denominator.records.rows import AttemptRow, PatchFacts
from denominator.records.values import is_placeholder
from denominator.records.words import Slice, StopReason

NEVER = "never"
FIRST_COMPLETE, CLASSES, ENVELOPE = "first-complete", "failure-classes", "frozen-envelope"
ALSO = {"m15": FIRST_COMPLETE, "m13": CLASSES, "m9": ENVELOPE}
BY_SHAPE = {"rows/seed-log": CLASSES, "rows/calls": ENVELOPE}
LEAST_SEEDS, LEAST_TASKS, LEAST_DATES = 3, 200, 2
CITEABLE, NOT_CITEABLE, UNCHECKED = "citeable", "not_citeable", "unchecked"
INCOMPLETE = 2

TEXTS = ("access_class", "server_class", "stop_reason")
MEASURED = ("cold_start", "queue_wait_ms")
NO_PATCH = (
    StopReason.NO_PATCH, StopReason.TIMEOUT, StopReason.BUDGET, StopReason.TRANSPORT, StopReason.INFRA, StopReason.HARNESS,
)  # fmt: skip
"""Endings that say why there is no patch: the agent left none, or nothing was harvested."""
OF_MODEL = ("access_class", "server_class")


def rule_of(sheet: Sheet) -> str:
    """The known rule that a run is held against; empty for a rule in free words."""
    written = sheet.terms.cite_rule.strip()
    if is_placeholder(written):
        return BY_SHAPE.get(sheet.ledger.shape, FIRST_COMPLETE) if sheet.terms.origin != "seal" else ""
    first = re.split(r"[\s:,;]", written.lower(), maxsplit=1)[0]
    name = ALSO.get(first, first)
    return name if name in RULES_OF_CITATION or name == NEVER else ""


def cite(sheet: Sheet, verdict: Verdict) -> Citation:
    """Hold a judged run against its rule. The sentence and what may not be written are the gate's own, nothing is added."""
    rule, written = rule_of(sheet), sheet.terms.cite_rule
    reasons = [] if verdict.status == "publishable" else [f"the gate blocks it: {verdict.sentence}"]
    lacks: tuple[Lack, ...] = ()
    if rule == NEVER:
        reasons.append(f"its own rule says so: {written}")
    elif rule:
        reasons += RULES_OF_CITATION[rule](sheet)
        lacks = tuple(lacks_of(sheet)) if rule == FIRST_COMPLETE else ()
    reasons += [f"{counted(len(lacks), 'field')} missing"] if lacks else []
    status = NOT_CITEABLE if reasons else CITEABLE if rule else UNCHECKED
    code = INCOMPLETE if lacks else 0 if status == CITEABLE else 1
    return Citation(
        status=status,
        rule=written,
        evaluated=rule,
        reasons=tuple(reasons),
        lacks=lacks,
        sentence=verdict.sentence,
        may_not=verdict.may_not,
        exit=max(code, verdict.exit),
    )


def unmet(sheet: Sheet) -> tuple[str, ...]:
    """What the sealed rule lacks, in short; for a rule in free words that nobody checked it."""
    rule = rule_of(sheet)
    if not rule:
        return ("a rule in free words: a person must check it",)
    if rule == NEVER:
        return ("its own rule says so",)
    told = _missing(sheet) if rule == FIRST_COMPLETE else ""
    return (*RULES_OF_CITATION[rule](sheet), *([told] if told else []))


def _missing(sheet: Sheet) -> str:
    """How many fields of how many rows and cards are missing; counted by kind, so that a million rows are soon counted."""
    unnamed = calls_no_model(sheet)
    gaps = [(len(tuple(_lacking(row, unnamed))), many) for row, many in sheet.rows() if row.started]
    fields = sum(lacking * many for lacking, many in gaps) + len(sheet.terms.unpinned)
    rows, cards = sum(many for lacking, many in gaps if lacking), len({task for task, _ in sheet.terms.unpinned})
    where = f"{counted(rows, 'row')} and {counted(cards, 'task card')}"
    return f"{counted(fields, 'field')} missing in {where}" if fields else ""


def lacks_of(sheet: Sheet) -> Iterator[Lack]:
    """Every field that METHODS M15 needs and nobody recorded: rows first, in order, then cards.

    Rows that are held by kind are named by how many they are and by one of them.
    """
    unnamed = calls_no_model(sheet)
    for row, many in sorted(((one, many) for one, many in sheet.rows() if one.started), key=lambda pair: pair[0].key):
        place = _place(row) if many == 1 else f"{many} rows like {_place(row)}"
        for field in _lacking(row, unnamed):
            yield Lack(row=place, task=row.key.task_id, field=field)
    for task, field in sorted(sheet.terms.unpinned):
        yield Lack(row="", task=task, field=field)


def _lacking(row: AttemptRow, no_model: bool) -> Iterator[str]:
    for name in TEXTS:
        value = getattr(row, name)
        if name in OF_MODEL and no_model:
            continue
        if not isinstance(value, str) or is_placeholder(value):
            yield name
    if not row.numbered:
        yield "attempt"
    for name in MEASURED:
        if not isinstance(getattr(row, name), int):
            yield name
    if not _has_digest(row) and row.stop_reason not in NO_PATCH:
        yield "patch_sha256"


def _has_digest(row: AttemptRow) -> bool:
    """A source that states a digest and no size has it beside the facts, as it was written."""
    if isinstance(row.patch, PatchFacts):
        return bool(row.patch.sha256)
    return not is_placeholder(row.extra.get("patch_sha256", "").strip('"'))


def _place(row: AttemptRow) -> str:
    key = row.key
    return row.source.place or f"{key.task_id}#{key.repeat}.{key.attempt}"


def _first_complete(sheet: Sheet) -> Iterator[str]:
    """M15: hidden tests, one access and server class (a gate rule of its own), concurrency sealed."""
    if not sheet.terms.hidden_tests:
        yield "not every task is known to have hidden tests"
    if sheet.terms.origin != "seal" and not stated(sheet.terms, "concurrency"):
        yield "concurrency was not sealed: no headline"


def _classes(sheet: Sheet) -> Iterator[str]:
    """M13: positive and negative slices, nothing unresolved, no false pass, three seeds."""
    yield from _slices(sheet)
    unresolved = sum(many for draw, many in sheet.alike() if draw.failure_class == "unresolved")
    missing = sheet.unnamed + sum(many for draw, many in sheet.alike() if draw.exit == "never_started")
    if unresolved or missing:
        yield f"nothing comparative: {unresolved} unresolved, {missing} without a row"
    seeds = len(seeds_of(sheet))
    if seeds < LEAST_SEEDS:
        told = "no seed is recorded" if not seeds else "1 seed is a demonstration" if seeds == 1 else f"{seeds} seeds"
        yield f"{told}: {LEAST_SEEDS} are the least to cite"
    unnamed = sheet.count(lambda draw: draw.row is not None and not isinstance(draw.row.seed, int))
    if seeds and unnamed:
        yield f"{counted(unnamed, 'draw')} without a seed"


def _slices(sheet: Sheet) -> Iterator[str]:
    names = {draw.slice for draw, _ in sheet.alike()}
    if Slice.SOLVABLE not in names:
        yield "no positive slice: there is nothing to cite"
    if Slice.NEGATIVE not in names:
        yield "no negative slice: a smoke test only"
    elif not sheet.count(lambda draw: draw.exit in SCORED, Slice.NEGATIVE):
        yield "no draw of the negative slice came to a verdict: a smoke test only"
    if any(control.state == "violated" for control in sheet.controls):
        yield "controls failed: nothing else is said"


def _envelope(sheet: Sheet) -> Iterator[str]:
    """M9: every field of the envelope, a negative control, 200 tasks on two dates, replay flips below their ceiling."""
    if sheet.terms.missing:
        yield f"the envelope lacks {', '.join(sorted(sheet.terms.missing))}"
    yield from _slices(sheet)
    tasks = tasks_of(sheet)
    if tasks < LEAST_TASKS:
        yield f"{counted(tasks, 'task')}: {LEAST_TASKS} are the least to cite inside an envelope"
    dates = dates_of(sheet)
    if len(dates) < LEAST_DATES:
        yield f"{counted(len(dates), 'date')}: {LEAST_DATES} are the least to cite inside an envelope"
    if not any(isinstance(one.rate, str) for one in sheet.terms.replays):
        yield "no replay that shows how many draws flip"
    for one in above_ceiling(sheet.terms):
        yield f"replay {one.run_id} flipped more draws than the ceiling {sheet.terms.replay_ceiling}: interval only"


RULES_OF_CITATION: Mapping[str, Callable[[Sheet], Iterable[str]]] = {
    FIRST_COMPLETE: _first_complete,
    CLASSES: _classes,
    ENVELOPE: _envelope,
}
