"""Resolved rate: the model's successes over the model's rows. Secondary.

Why it matters: it asks how good the model was when nothing else got in the way. It is a complete-case estimate: when
infrastructure fails more often on hard tasks it is too high, so the headline and the censor rates stand beside it.

Numerator: passes with origin MODEL. Denominator: draws with origin MODEL. Unit: draws of the solvable slice.

Bad: compared between two arms that lost different tasks. Good: "9 of 19 eligible; infra censored 1 of 20".
Fix: re-run censored rows under the sealed retry policy.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "resolved_rate"
ESTIMAND = "pass rate among draws whose ending was the model's"


def measure(read: Reading) -> Estimate:
    """Passes over rows whose ending was the model's."""
    eligible = read.by_task(lambda draw: draw.origin == "MODEL")
    passes = read.by_task(lambda draw: draw.origin == "MODEL" and draw.exit == "pass")
    return About(NAME, ESTIMAND, "eligible draws", read).among(passes, eligible, "no row is the model's")


METRIC = Metric(Entry("MT003", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
