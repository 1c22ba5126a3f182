"""Patch apply fail rate: draws in which the harness could not apply the agent's patch.

Why it matters: patches come from trees that the harness owns, so this is the harness's loss, shown apart and never
hidden in the failures.

Numerator: draws of the solvable slice with the tag apply_error. Denominator: its declared draws. Unit: draws.

Bad: a lost last newline counted as a wrong patch. Good: 1 of 20, harness.
Fix: see the evidence of the label; the patch is kept by digest.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "patch_apply_fail_rate"
ESTIMAND = "share of declared draws whose patch could not be applied"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: "apply_error" in draw.tags)


METRIC = Metric(Entry("MT014", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
