"""Contract pass rate: passes that are known to be contract passes. Withheld while that is not known.

Why it matters: green on tests that the agent wrote itself is a weaker thing than green on hidden tests against a
frozen surface.

Numerator: draws of the solvable slice in bucket PASS_CONTRACT. Denominator: its declared draws. Unit: draws.
Without a judged tool log and the frozen spec nobody knows whether a green row used a surface that does not exist, so
the number of such passes stands in the place of the rate; only passes that are known to be weak need no tool log.

Bad: every pass counted as a contract pass. Good: "the surface was not checked for 9 passing draws".
Fix: record the tool log and the allowed surface.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric, share
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw
from denominator.records.values import NotMeasured
from denominator.records.words import Mix

NAME = "contract_pass_rate"
ESTIMAND = "share of declared draws that are contract passes"


def measure(read: Reading) -> Estimate:
    """Contract passes over declared draws, or how many passes nobody evaluated."""
    about, declared = About(NAME, ESTIMAND, "draws", read), read.declared
    unchecked = read.count(lambda draw: draw.exit == "pass" and draw.mix != Mix.PASS_WEAK and not _looked_at(draw))
    unplaced = read.count(lambda draw: draw.exit == "pass" and not draw.mix and _looked_at(draw))
    if unchecked or unplaced:
        why = NotMeasured("; ".join(_missing(unchecked, unplaced)))
        return about.missing(why, why, declared)
    return share(NAME, ESTIMAND, read, lambda draw: draw.mix == Mix.PASS_CONTRACT)


def _looked_at(draw: JudgedDraw) -> bool:
    """Is there a tool log, or were surfaces held against what is defined?"""
    row = draw.row
    return row is not None and not (isinstance(row.tools, NotMeasured) and isinstance(row.surfaces, NotMeasured))


def _missing(unchecked: int, unplaced: int) -> Iterable[str]:
    if unchecked:
        yield f"the surface was not checked for {_passes(unchecked)}: no tool log was judged"
    if unplaced:
        yield f"nobody states who wrote the tests of {_passes(unplaced)}"


def _passes(number: int) -> str:
    return "1 passing draw" if number == 1 else f"{number} passing draws"


METRIC = Metric(Entry("MT009", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
