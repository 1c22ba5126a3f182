"""The sentence that the evidence allows, from fixed templates. Adjectives do not exist here."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.stats import false_pass_upper, percent1

FALSE_PASS_CONTROLS = ("must_fail", "known_bad_must_fail", "must_stay_red", "must_ask", "empty_patch_must_fail")


def refused(blockers: tuple[str, ...], no_aggregate: bool) -> str:
    """No number: which rules say so."""
    head = "NO_AGGREGATE" if no_aggregate else "Refused"
    return f"{head}: no rate, no fraction and no interval may be printed. Blocked by {', '.join(blockers)}."


def allowed(sheet: Sheet, rung: Rung) -> str:
    """Counts, or the rate with its interval; then everything that has to stand beside it."""
    parts = [_result(sheet, rung), _beside(sheet), controls_line(sheet), _seal(sheet), caveat(sheet)]
    return " ".join(part for part in parts if part)


def _result(sheet: Sheet, rung: Rung) -> str:
    found = sheet.estimate("headline")
    if found is None or isinstance(found.numerator, NotMeasured):
        return "There is no headline."
    head = f"{sheet.terms.name or 'This run'}: {found.numerator} of {found.denominator} declared {found.unit} passed"
    interval = "" if isinstance(found.lo, NotMeasured) else f"95 % interval {short(found.lo)} to {short(str(found.hi))}"
    if rung is Rung.COUNTS:
        return f"{head} ({interval}); no rate is claimed." if interval else f"{head}; no rate is claimed."
    return f"{head}: {percent1(str(found.value))} ({interval}, {found.method})."


def short(decimal: str) -> str:
    """Three digits of a decimal string, half-even."""
    return str(Decimal(decimal).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))


def _share(sheet: Sheet, metric: str, words: str) -> str:
    found = sheet.estimate(metric)
    if found is None:
        return ""
    if isinstance(found.numerator, NotMeasured) or isinstance(found.denominator, NotMeasured):
        return f"how many {words} was not measured"
    return f"{found.numerator} of {found.denominator} {words}"


def _beside(sheet: Sheet) -> str:
    shares = [
        _share(sheet, "unscoreable_rate", "were unscoreable"),
        _share(sheet, "abstain_rate", "were abstentions"),
        _share(sheet, "retry_rate", "needed a retry, a cold start or a second transport"),
        _share(sheet, "truncation_rate", "were cut by their own time or budget"),
    ]
    text = "; ".join(share for share in shares if share)
    return (text[:1].upper() + text[1:] + "." if text else "") + _retried(sheet)


def _retried(sheet: Sheet) -> str:
    found = sheet.estimate("retry_rate")
    if found is None or not isinstance(found.value, str) or float(found.value) <= 0.2:
        return ""
    return " Passes were reached by retries."


def controls_line(sheet: Sheet) -> str:
    """Controls with the bound that clean ones give."""
    if not sheet.controls:
        return "Controls: none."
    held = sum(control.state == "held" for control in sheet.controls)
    text = f"Controls: {held} of {len(sheet.controls)} held"
    clean = sum(control.state == "held" and control.name in FALSE_PASS_CONTROLS for control in sheet.controls)
    if clean:
        bound = percent1(false_pass_upper(clean))
        text += f"; 0 false passes in {clean} bound the false-pass rate at {bound} (one-sided 95 %)"
    return text + "."


def _seal(sheet: Sheet) -> str:
    return f"{sheet.terms.origin.capitalize()} {sheet.terms.digest[:12]}." if sheet.terms.digest else ""


def caveat(sheet: Sheet) -> str:
    """What the size allows; the thresholds 8, 40 and 200 are conventions."""
    n = len({draw.draw.task_id for draw in sheet.of_slice("solvable")}) + sheet.unnamed
    if n < 8:
        return f"{n} tasks: this checks a method and orders nobody."
    if n <= 40:
        return f"{n} tasks: differences of a few tasks are inside the noise; this orders nobody."
    if n < 200:
        return f"{n} tasks in one pack: it speaks for tasks like these only as far as they were drawn from a frame."
    return f"{n} tasks on one date: cite it inside its envelope."
