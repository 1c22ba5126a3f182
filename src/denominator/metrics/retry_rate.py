"""Retry rate: draws that needed a second attempt, a cold start or a transport error on the way.

Why it matters: a pass that was reached by retries is another thing than one on the first try. Above 0.20 (a
convention) the sentence has to say so.

Numerator: draws of the solvable slice with more than one attempt, a cold start, or a provider or transport ending
on an earlier attempt. Denominator: its declared draws. Unit: draws.

Bad: the better of two tries printed as one. Good: "passes were reached by retries in 8 of 20 draws".
Fix: fewer retries in the policy, or the words.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share_where_known
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw

NAME = "retry_rate"
ESTIMAND = "share of declared draws with a second attempt, a cold start or a transport error"


def measure(read: Reading) -> Estimate:
    """Retried draws over declared draws; second attempts are seen even where cold starts were not recorded."""
    return share_where_known(NAME, ESTIMAND, read, _retried, _known, "cold starts were not recorded")


def _known(draw: JudgedDraw) -> bool:
    return all(isinstance(row.cold_start, bool) for row in draw.tries)


def _retried(draw: JudgedDraw) -> bool:
    return len(draw.tries) > 1 or any(row.cold_start is True or row.stop_reason == "transport" for row in draw.tries)


METRIC = Metric(Entry("MT011", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
