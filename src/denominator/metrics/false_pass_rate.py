"""False-pass rate: controls that passed although nothing may pass them, with the most that the true rate can be.

Why it matters: four clean controls sound like proof and leave room for a grader that passes half of what it should not.

Numerator: violated controls among those that could have shown a false pass (must_fail, known_bad_must_fail,
empty_patch_must_fail, must_stay_red, must_ask). Denominator: those that came to a verdict. Unit: control tasks
(repeats of one are one control) and controls of the run, never draws of the headline.

Bad: "all controls held" after four of them. Good: "0 of 4, at most 0.527 (one-sided 95 %, exact)".
Fix: more controls in the pack; 10 give 0.259, 59 give 0.05. Source: Clopper and Pearson 1934, upper limit alone.
"""

from __future__ import annotations

from fractions import Fraction

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.cards import could_show_false_pass
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import Interval, clopper_pearson

NAME = "false_pass_rate"
ESTIMAND = "share of controls that nothing may pass and that passed"
TWO_SIDED = Fraction(90, 100)
METHOD = "exact upper limit, one-sided 95 % (Clopper and Pearson)"


def measure(read: Reading) -> Estimate:
    """Violated over judged controls, from 0 up to the exact one-sided limit."""
    about = About(NAME, ESTIMAND, "controls, one-sided", read)
    passed, judged = could_show_false_pass(read.sheet.controls)
    if not judged:
        return about.missing(NotMeasured("no control that could show a false pass came to a verdict"), passed, judged)
    upper = clopper_pearson(passed, judged, TWO_SIDED).hi
    return about.measured(passed, judged, Fraction(passed, judged), Interval(0.0, upper), METHOD)


METRIC = Metric(Entry("MT015", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
