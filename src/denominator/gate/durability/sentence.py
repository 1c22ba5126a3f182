"""The sentence that a bench allows: what came back of what was interrupted, what was done twice, what it cost."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.gate.durability.controls import MEANING
from denominator.records.cards import ControlLine
from denominator.records.durability import BenchSheet
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured, counted
from denominator.records.words import Rung
from denominator.stats import percent1

LIFTS = ("the same bench of another runner on the same tasks and plan: two cards side by side",)
CAVEAT = "It partly measures the harness and depends on the number of checkpoints; it says nothing of review quality."
COSTS = (("replay_calls", "calls"), ("replay_tokens", "tokens"), ("replay_wall", "ms"))


def refused(blockers: tuple[str, ...], controls: Iterable[ControlLine]) -> str:
    """No figure; a violated control says what it means."""
    broken = [f"{one.name} ({MEANING[one.name]})" for one in controls if one.state == "violated"]
    why = f" Violated: {', '.join(broken)}." if broken else ""
    head = "NO_AGGREGATE: " if broken else ""
    what = "no resume success rate, no double-apply count and no replay cost may be printed"
    return f"{head}{what if head else what.capitalize()}. Blocked by {', '.join(blockers)}.{why}"


def allowed(sheet: BenchSheet, rung: Rung) -> str:
    """Counts, or rates with their intervals; then everything that has to stand beside them."""
    parts = [_recovered(sheet, rung), _twice(sheet), _cost(sheet), _capability(sheet), _controls(sheet), _frame(sheet)]
    return " ".join(part for part in (*parts, CAVEAT) if part)


def _recovered(sheet: BenchSheet, rung: Rung) -> str:
    found = sheet.estimate("rsr")
    name = sheet.terms.name or "This bench"
    if found is None or not isinstance(found.numerator, int) or not found.denominator:
        why = found.value.not_measured if found is not None and isinstance(found.value, NotMeasured) else "not measured"
        return f"{name}: no resume success rate: {why}."
    of = counted(found.denominator, "interrupted trial") if isinstance(found.denominator, int) else "?"
    head = f"{name}: {found.numerator} of {of} over {counted(_int(found.n_tasks), 'task')} ended in a correct pass after resume"
    interval = f"95 % interval {found.lo} to {found.hi}" if isinstance(found.lo, str) else "no interval"
    if rung is Rung.COUNTS or not isinstance(found.value, str):
        return f"{head} ({interval}); no rate is claimed."
    return f"{head}: {percent1(found.value)} ({interval}, {found.method})."


def _twice(sheet: BenchSheet) -> str:
    found = sheet.estimate("double_apply_rate")
    if found is None or not isinstance(found.numerator, int) or not isinstance(found.denominator, int):
        return ""
    if isinstance(found.lo, NotMeasured) and not found.denominator:
        return ""
    unknown = not found.method and isinstance(found.value, NotMeasured) and not found.withheld_by
    least = "at least " if unknown else ""
    return f"Applied twice: {least}{found.numerator} of {counted(found.denominator, 'trial')}."


def _cost(sheet: BenchSheet) -> str:
    """What was spent again; what is unknown is named as unknown."""
    found = [(sheet.estimate(name), unit) for name, unit in COSTS]
    known = [f"{one.numerator} {unit}" for one, unit in found if one is not None and _has(one)]
    unknown = [unit for one, unit in found if one is not None and not _has(one) and one.denominator]
    parts = [f"Spent again: {', '.join(known)}." if known else ""]
    parts.append(f"Spent again, not recorded: {', '.join(unknown)}." if unknown else "")
    return " ".join(part for part in parts if part)


def _has(one: Estimate) -> bool:
    return isinstance(one.numerator, int) and bool(one.denominator)


def _capability(sheet: BenchSheet) -> str:
    found = sheet.estimate("faultless_pass_rate")
    if found is None or not isinstance(found.numerator, int) or not found.denominator:
        return ""
    return f"Without faults {found.numerator} of {found.denominator} ended in a correct pass."


def _controls(sheet: BenchSheet) -> str:
    held = sum(one.state == "held" for one in sheet.controls)
    return f"Controls: {held} of {len(sheet.controls)} held." if sheet.controls else "Controls: none."


def _frame(sheet: BenchSheet) -> str:
    terms = sheet.terms
    faults = "" if isinstance(terms.faults, NotMeasured) else f", {counted(len(terms.faults), 'planned fault')}"
    repeats = f", {counted(terms.repeats, 'repeat')}" if terms.repeats > 1 else ""
    digest = f" {'Bench' if terms.ours else 'Manifest'} {terms.digest[:12]}." if terms.digest else ""
    return f"{counted(len(terms.checkpoints), 'checkpoint')}{faults}{repeats}.{digest}"


def may_not(rung: Rung) -> tuple[str, ...]:
    """What nobody may write, from a fixed list."""
    never = (
        "call a runner durable for single-shot tasks",
        "compare two runners from this card alone",
        "use it in a contract, an SLA or a price",
    )
    if rung is Rung.REFUSED:
        return ("print a resume success rate, a double-apply count or a replay cost", *never)
    return (*(("print a percentage",) if rung is Rung.COUNTS else ()), *never)


def _int(value: int | NotMeasured) -> int:
    return value if isinstance(value, int) else 0
