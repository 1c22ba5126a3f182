"""Cold start share: declared draws with an attempt that used a worker, image or connection for the first time.

Why it matters: a cold start is slower and fails more; two arms of which one warmed up for the other are not alike.

Numerator: draws of the solvable slice with a cold attempt. Denominator: its declared draws. Unit: draws. Estimand:
the share in this run. Not recorded for some: the count is only the least it can be. Source: METHODS MC.

Bad: unknown taken as warm. Good: "5 of 20 cold".
Fix: warm up before the plan; record cold_start.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share_where_known
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw

NAME = "cold_start_share"
ESTIMAND = "share of declared draws with a cold start"


def measure(read: Reading) -> Estimate:
    """Draws with a cold attempt over declared draws."""
    return share_where_known(NAME, ESTIMAND, read, _cold, _known, "cold starts were not recorded")


def _known(draw: JudgedDraw) -> bool:
    return all(isinstance(row.cold_start, bool) for row in draw.tries)


def _cold(draw: JudgedDraw) -> bool:
    return any(row.cold_start is True for row in draw.tries)


METRIC = Metric(Entry("MT057", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
