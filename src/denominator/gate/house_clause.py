"""Every rule of the house holds: a bound of a metric, sealed before the run.

Why it matters: what a house demands of a number (a floor for the rate, a ceiling for what was unscoreable) is worth
something only when it was written before the result was known, and when its result is printed either way.

Bad: "we ship at 60 %", decided over the finished card. Good: `[[clause]] name, metric, of, at_least, why` in the
envelope; a bound that is met exactly holds.
Fix: nothing of the envelope can be changed now; the clause answers the house's own question. A clause that cannot be
evaluated fails: an unknown metric, an undefined number, or one that something else withholds. When a clause fails, no
number is printed, so its own is not in the text either.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, unknown
from denominator.records.envelopes import Clause
from denominator.records.estimates import Estimate
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Severity
from denominator.stats.decimals import finite_decimal
from denominator.stats.mentions import without_numbers

FIX = "see `denominator card`; a new bound is a new seal and a new run"


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding a clause. Numbers are in the text only while every clause holds, foreign words lose theirs too."""
    results = [(clause, *result_of(clause, sheet.estimate(clause.metric))) for clause in sheet.terms.clauses]
    every = all(state == "held" for _, state, _ in results)
    free = sheet.terms.origin == "seal" or (every and not any(one.withheld_by for one in sheet.estimates))
    for clause, state, why in results:
        name, reason = (text if free else without_numbers(text) for text in (clause.name, clause.why))
        subject, where = f"clause {name}", clause.metric
        text = f"{name}: {bound(clause)} ({reason})"
        if state == "held":
            yield Said(Severity.HELD, subject, f"{text}: holds{f', it is {why}' if every else ''}", where)
        elif state == "failed":
            yield block(subject, f"{text}: does not hold", FIX, where)
        else:
            yield unknown(subject, f"{text}: cannot be evaluated: {why}", FIX, where)


def bound(clause: Clause) -> str:
    """`lower of headline at least 0.5`."""
    limits = (("at least", clause.at_least), ("at most", clause.at_most))
    return f"{clause.of} of {clause.metric} " + " and ".join(f"{word} {limit}" for word, limit in limits if limit)


def result_of(clause: Clause, found: Estimate | None) -> tuple[str, str]:
    """held, failed or unknown; with the number when it is known, or with the reason why it is not."""
    if found is None:
        return "unknown", f"no metric is called {clause.metric}"
    numbers = {"value": found.value, "lower": found.lo, "upper": found.hi, "numerator": found.numerator}
    if clause.of not in numbers:
        return "unknown", f"{clause.of} is none of {', '.join(numbers)}"
    number = numbers[clause.of]
    if isinstance(number, NotMeasured):
        return "unknown", number.not_measured
    least, most = finite_decimal(clause.at_least), finite_decimal(clause.at_most)
    if (clause.at_least and least is None) or (clause.at_most and most is None) or least is most is None:
        return "unknown", "its bound is no number"
    value = Decimal(str(number))
    kept = (least is None or value >= least) and (most is None or value <= most)
    return ("held" if kept else "failed"), str(number)


RULE = Rule(
    Entry("GL071", "house-clause", "0.1.0", "gate", __doc__ or ""),
    check,
    "the house added no clause",
    late=True,
)
