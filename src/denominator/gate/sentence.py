"""The sentence that the evidence allows, from fixed templates. Adjectives do not exist here."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

from denominator.gate.shape import above, counted
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import SHOWS_FALSE_PASS, Rung
from denominator.stats import false_pass_upper, percent1

RETRIES = "0.20"


def refused(blockers: tuple[str, ...], no_aggregate: bool) -> str:
    """No number: which rules say so."""
    head = "NO_AGGREGATE" if no_aggregate else "Refused"
    return f"{head}: no rate, no fraction and no interval may be printed. Blocked by {', '.join(blockers)}."


def allowed(sheet: Sheet, rung: Rung, waived: str = "") -> str:
    """Counts, or the rate with its interval; then everything that has to stand beside it."""
    parts = [result(sheet, rung), beside(sheet), _people(sheet), controls_line(sheet)]
    parts += [_stop(waived), _seal(sheet), caveat(sheet)]
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
    head = f"{name}: {found.numerator} of {counted(found.denominator, 'declared draw')} passed {how}"
    interval = "" if isinstance(found.lo, NotMeasured) else f"95 % interval {short(found.lo)} to {short(str(found.hi))}"
    if rung is Rung.COUNTS:
        return f"{head} ({interval}); no rate is claimed." if interval else f"{head}; no rate is claimed."
    return f"{head}: {percent1(str(found.value))} ({interval}, {found.method})."


def short(decimal: str) -> str:
    """Three digits of a decimal string, half-even."""
    return str(Decimal(decimal).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))


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
    return found is not None and above(found.numerator, found.denominator, RETRIES)


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
    clean = sum(control.state == "held" and control.name in SHOWS_FALSE_PASS for control in sheet.controls)
    if clean:
        bound = percent1(false_pass_upper(clean))
        of = counted(clean, "control")
        text += f"; no false pass in {of}, which leaves room for a false-pass rate of up to {bound} (one-sided 95 %)"
    return text + "."


def _seal(sheet: Sheet) -> str:
    return f"{sheet.terms.origin.capitalize()} {sheet.terms.digest[:12]}." if sheet.terms.digest else ""


def caveat(sheet: Sheet) -> str:
    """What the size allows; the thresholds 8, 40 and 200 are conventions."""
    n = len({draw.draw.task_id for draw in sheet.of_slice("solvable")}) + sheet.unnamed
    tasks = counted(n, "task")
    if n < 8:
        return f"{tasks}: this checks a method and orders nobody."
    if n <= 40:
        return f"{tasks}: differences of a few tasks are inside the noise; this orders nobody."
    if n < 200:
        return f"{tasks} in one pack: it speaks for tasks like these only as far as they were drawn from a frame."
    return f"{tasks} on one date: cite it inside its envelope."
