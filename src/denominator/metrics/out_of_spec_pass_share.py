"""Out-of-spec pass share: declared draws that passed after their own declared limit.

Why it matters: with on_timeout = "grade" the state left on disk is graded, so a pass may have taken more than the
envelope gives. Such passes are counted, and named.

Numerator: passes of the solvable slice that came after their cap. Denominator: its declared draws. Unit: draws.
Estimand: the share over tasks like these under this policy. Whether a cap came first is not recorded for some: only
the least it can be. Source: METHODS MC.

Bad: "9 passed" where 2 of them ran over. Good: "9 of 20 passed, 2 of them after their limit".
Fix: on_timeout = "fail", or a larger limit sealed before the run.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share_where_known
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw

NAME = "out_of_spec_pass_share"
ESTIMAND = "share of declared draws that passed after their declared limit"


def measure(read: Reading) -> Estimate:
    """Passes after a cap over declared draws."""
    return share_where_known(NAME, ESTIMAND, read, _over, _known, "whether a limit came first was not recorded")


def _known(draw: JudgedDraw) -> bool:
    return draw.exit != "pass" or draw.row is None or isinstance(draw.row.after_cap, bool)


def _over(draw: JudgedDraw) -> bool:
    return draw.exit == "pass" and draw.row is not None and draw.row.after_cap is True


METRIC = Metric(Entry("MT058", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
