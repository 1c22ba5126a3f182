"""The next rung: what nobody may write yet, and what would lift the sentence, as concrete as the rows allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from math import ceil

from denominator.gate.shape import Rule, counted
from denominator.records.findings import Finding
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Rung, Severity
from denominator.stats.rates import z_quantile

STOPS = (Severity.BLOCK, Severity.UNKNOWN)
WIDTHS = ("0.50", "0.40", "0.30", "0.20", "0.10", "0.05")
REPEATS = 5
"""METHODS M6: below five repeats the instability itself is poorly known. A convention."""

NEVER = ("compare it with another arm from this card alone", "use it in a contract, an SLA or a price")
BY_RULE = {
    "single-date": "say that it holds on another date",
    "flips-above-ceiling": "put one number in the place of the interval",
    "no-negative-slice": "call it more than a smoke test",
    "few-seeds": "set its class counts beside another model's",
    "several-runs": "show it without the other runs of its envelope",
    "passes-by-retry": "call a pass that a retry reached a pass at the first try",
    "cut-attempts": "call an attempt that time or budget cut a bad patch",
    "unsealed-concurrency": "call it a headline",
    "limits-differ": "average rows that ran under different limits",
    "missing-hidden-tests": "say that hidden tests decided",
    "unmet-cite-rule": "cite it",
    "flaky-baseline": "give a flip rate or a spread of repeats",
}
"""What a note of a rule adds to the list; what is measured nowhere is not in it."""
FEW, ONE_PASS = 40, "say that a fresh run of these tasks would give the same number"


def may_not(sheet: Sheet, rung: Rung, split_hidden: bool, findings: Iterable[Finding]) -> tuple[str, ...]:
    """What nobody may write, from a fixed list."""
    if rung is Rung.REFUSED:
        split = ("say how many passed or failed",) if split_hidden else ()
        beside = "set it beside another run"
        return ("print a pass rate, a fraction of passes or an interval", *split, *NEVER, beside)
    noted = {one.allow_name for one in findings if one.severity == Severity.NOTE}
    found = ["print a percentage"] if rung is Rung.COUNTS else []
    found += ["quote the scoreable or the resolved rate without the headline", *NEVER]
    found += [text for name, text in BY_RULE.items() if name in noted and _applies(sheet, name)]
    if sheet.terms.repeats <= 1 and not sheet.terms.replays:
        found.append(ONE_PASS)
    if any(level != "G3" for level in sheet.terms.grading_levels):
        found.append("say that no solution could have reached its own verdict: some were graded in one process with it")
    elif not sheet.terms.grading_levels:
        found.append("say that no solution could have reached its own verdict: how they were graded is not recorded")
    return tuple(found)


RATES = {"cut-attempts": "truncation_rate", "passes-by-retry": "retry_rate"}


def _applies(sheet: Sheet, name: str) -> bool:
    """A rule that only says that something is unknown forbids nothing about it."""
    found = sheet.estimate(RATES[name]) if name in RATES else None
    return name not in RATES or (found is not None and isinstance(found.numerator, int) and found.numerator > 0)


def lifts(sheet: Sheet, rung: Rung, findings: Iterable[Finding], rules: Sequence[Rule]) -> tuple[str, ...]:
    """What would have to be done for a higher rung: one line per rule and fix, then the steps above a rate."""
    capping = {rule.entry.code for rule in rules if rule.caps}
    lines = [
        f"{f.code} {f.allow_name}: {f.fix}"
        for f in findings
        if f.fix and (f.severity in STOPS or (f.severity == Severity.NOTE and f.code in capping))
    ]
    steps = tuple(_steps(sheet)) if rung is Rung.RATE else ()
    return tuple(dict.fromkeys((*lines, *steps)))


def _steps(sheet: Sheet) -> Iterator[str]:
    yield from _narrower(sheet)
    if sheet.terms.repeats < REPEATS:
        more = counted(REPEATS - sheet.terms.repeats, "more repeat")
        yield f"{more} (K = {REPEATS}): a flip rate"
    comparison, treatment = sheet.terms.comparison.primary, sheet.terms.treatment
    if comparison and treatment:
        yield "the other arm under the same envelope, then `denominator compare`: a difference"
    else:
        lacking = [("a treatment field", treatment), ("a primary comparison", comparison)]
        named = " and ".join(name for name, there in lacking if not there)
        yield f"seal {named} before the next run: a difference between two arms"


def _narrower(sheet: Sheet) -> Iterator[str]:
    """How many more tasks make the interval narrower than the next width, whatever passes: n = z^2 / w^2 - z^2.

    Where tasks share families nobody can say: it depends on which families the new ones are of.
    """
    found, families = sheet.estimate("headline"), sheet.estimate("headline_by_cluster")
    if found is None or isinstance(found.lo, NotMeasured) or isinstance(found.hi, NotMeasured):
        return
    if families is not None and isinstance(families.lo, str):
        return
    tasks = found.n_tasks
    width = Decimal(found.hi) - Decimal(found.lo)
    aim = next((one for one in WIDTHS if Decimal(one) < width), "")
    if not aim or sheet.terms.repeats > 1 or isinstance(tasks, NotMeasured):
        return
    square = z_quantile() ** 2
    more = ceil(square / float(aim) ** 2 - square) - tasks
    if more > 0:
        yield f"{counted(more, 'more task')}: an interval narrower than {aim}, whatever passes"
