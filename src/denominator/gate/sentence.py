"""The sentence that the evidence allows, from fixed templates. Adjectives do not exist here."""

from __future__ import annotations

from denominator.gate.context import caveat, classes_and_seeds, frame, rerun_noise, short, when_and_where
from denominator.gate.known import tasks_of
from denominator.gate.shape import above, counted, listed
from denominator.records.cards import could_show_false_pass
from denominator.records.estimates import Estimate
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.stats import false_pass_upper, percent1


def refused(blockers: tuple[str, ...], no_aggregate: bool, controls_failed: bool = False) -> str:
    """No number: which rules say so. With failed controls nothing else is said either."""
    head = "NO_AGGREGATE" if no_aggregate else "Refused"
    head = f"{head}: controls failed and nothing else is said" if controls_failed else head
    return f"{head}: no rate, no fraction and no interval may be printed. Blocked by {', '.join(blockers)}."


def allowed(sheet: Sheet, rung: Rung, waived: str = "") -> str:
    """Counts, or the rate with its interval; then everything that has to stand beside it."""
    parts = [result(sheet, rung), frame(sheet), rerun_noise(sheet, rung), beside(sheet), classes_and_seeds(sheet)]
    parts += [_people(sheet), controls_line(sheet), _stop(waived), _siblings(sheet), _looks(sheet)]
    parts += [when_and_where(sheet), _seal(sheet), caveat(sheet)]
    return " ".join(part for part in parts if part)


def _stop(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def result(sheet: Sheet, rung: Rung) -> str:
    """What passed, of what; the interval says how little or much that is."""
    found = sheet.estimate("headline")
    if found is None or isinstance(found.numerator, NotMeasured) or isinstance(found.denominator, NotMeasured):
        return "There is no headline."
    name = sheet.terms.name or "This run"
    own = "its" if found.denominator == 1 else "their"
    how = f"{own} hidden tests" if sheet.terms.hidden_tests else "by the source's account"
    head = f"{name}: {found.numerator} of {counted(found.denominator, 'declared draw')}{_size(sheet)} passed {how}"
    shown = _by_family(sheet) or found
    interval = "" if isinstance(shown.lo, NotMeasured) else f"95 % interval {short(shown.lo)} to {short(str(shown.hi))}"
    if shown is not found and isinstance(shown.n_tasks, int):
        interval += f" over {counted(shown.n_tasks, 'family', 'families')} of tasks"
    if rung is Rung.COUNTS:
        return f"{head} ({interval}); no rate is claimed." if interval else f"{head}; no rate is claimed."
    return f"{head}: {percent1(str(found.value))} ({interval}, {shown.method})."


def _by_family(sheet: Sheet) -> Estimate | None:
    """Where tasks share a family the family is the unit of the interval (STATISTICS 7), if it could be measured."""
    found = sheet.estimate("headline_by_cluster")
    return found if found is not None and isinstance(found.lo, str) else None


def _size(sheet: Sheet) -> str:
    """N tasks and K repeats, where those are more than one."""
    if sheet.terms.repeats <= 1:
        return ""
    tasks, repeats = tasks_of(sheet), sheet.terms.repeats
    even = tasks * repeats == sheet.solvable_n()
    return f" ({counted(tasks, 'task')}, {'' if even else 'up to '}{counted(repeats, 'repeat')})"


def _siblings(sheet: Sheet) -> str:
    """Whoever shows one run of several lists them all."""
    others = sorted(set(sheet.terms.siblings))
    return (
        f"One of {len(others) + 1} runs of this envelope, arm and pack; the others: {listed(others)}." if others else ""
    )


def _looks(sheet: Sheet) -> str:
    """A look that nobody declared costs every comparison with this run its p value (STATISTICS 6)."""
    taken, declared = len(sheet.terms.looks), sheet.terms.comparison.looks
    if taken <= declared:
        return ""
    many = counted(taken, "time")
    return f"Looked at {many} before its end, {declared} declared: no p value may be printed of a comparison with it."


BESIDE = (
    ("unscoreable_rate", "unscoreable", "what was unscoreable"),
    ("abstain_rate", "abstained", "abstentions"),
    ("retry_rate", "with a second attempt, a cold start or a transport error", "second attempts and cold starts"),
    ("truncation_rate", "cut by their own time or budget", "what time or budget cut"),
)


def beside(sheet: Sheet) -> str:
    """The shares that belong in the same breath; what is unknown is named, and a lower bound is one."""
    known, unknown = [], []
    for metric, words, subject in BESIDE:
        found = sheet.estimate(metric)
        if found is None:
            continue
        if isinstance(found.numerator, NotMeasured) or (isinstance(found.value, NotMeasured) and found.numerator == 0):
            unknown.append(subject)
        else:
            least = "at least " if isinstance(found.value, NotMeasured) else ""
            known.append(f"{least}{found.numerator} {words}")
    n = sheet.solvable_n()
    of = counted(n, "draw") if isinstance(n, int) else "these"
    parts = [f"Of {of}: {', '.join(known)}." if known else ""]
    parts.append(f"Not recorded: {', '.join(unknown)}." if unknown else "")
    parts.append("Passes were reached by retries." if _retried(sheet) else "")
    return " ".join(part for part in parts if part)


def _retried(sheet: Sheet) -> bool:
    found = sheet.estimate("retry_rate")
    return found is not None and above(found.numerator, found.denominator, sheet.terms.retry_ceiling)


def _people(sheet: Sheet) -> str:
    """How many rows are not what the rules made of them."""
    changed = len(sheet.people.changed)
    return f"People decided {counted(changed, 'row')} otherwise than the rules." if changed else ""


def controls_line(sheet: Sheet) -> str:
    """Controls with the bound that clean ones give."""
    if not sheet.controls:
        return "Controls: none."
    held = sum(control.state == "held" for control in sheet.controls)
    text = f"Controls: {held} of {len(sheet.controls)} held"
    violated, clean = could_show_false_pass(sheet.controls)
    if clean and not violated:
        bound = percent1(false_pass_upper(clean))
        of = counted(clean, "control")
        text += f"; no false pass in {of}, which leaves room for a false-pass rate of up to {bound} (one-sided 95 %)"
    return text + "."


def _seal(sheet: Sheet) -> str:
    return f"{sheet.terms.origin.capitalize()} {sheet.terms.digest[:12]}." if sheet.terms.digest else ""
