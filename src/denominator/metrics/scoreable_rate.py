"""Scoreable rate: passes over draws that got a score. Secondary, never the headline.

Why it matters: it is the number most tools print. It is honest only beside the headline and the count of what it
leaves out, because what fails to be scored is rarely a random sample.

Numerator: passes of the solvable slice. Denominator: its draws with exit pass, fail or abstain. Unit: draws.

Bad: "89 %" alone. Good: "16 of 18 scoreable (secondary); 2 of 20 unscoreable".
Fix: quote the headline.
"""

from __future__ import annotations

from operator import sub

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "scoreable_rate"
ESTIMAND = "pass rate among draws that were scored (complete cases)"


def measure(read: Reading) -> Estimate:
    """Passes over scored draws."""
    passes = read.exits.passes
    scored = list(map(sub, read.exits.draws, read.exits.unseen))
    return About(NAME, ESTIMAND, "scored draws", read).among(passes, scored, "nothing was scored")


METRIC = Metric(Entry("MT002", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
