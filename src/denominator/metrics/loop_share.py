"""Loop share: declared draws that ended in calls that brought nothing new.

Why it matters: a loop spends the budget on standing still; more samples of the same task repeat it.

Numerator: draws of the solvable slice in bucket TOOL_LOOP. Denominator: its declared draws. Unit: draws. Estimand:
the share over tasks like these. Source: METHODS M1. That there is no loop is known only where every call and the
digest of its result are at hand; while they are not for a draw that did not pass, the count is only the least it can
be.

Bad: 0 of 20 from rows without a tool log. Good: "tool calls were not evaluated for 9 draws (2 seen)".
Fix: record the tool log with result digests.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share_where_known
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw
from denominator.records.values import NotMeasured
from denominator.records.words import Mix

NAME = "loop_share"
ESTIMAND = "share of declared draws that ended in a tool loop"
EARLIER = (Mix.TIMEOUT, Mix.TOOL_LOOP)


def measure(read: Reading) -> Estimate:
    """Counted over declared draws, or how many of them nobody evaluated."""
    return share_where_known(
        NAME, ESTIMAND, read, lambda draw: draw.mix == Mix.TOOL_LOOP, _known, "tool calls were not evaluated"
    )


def _known(draw: JudgedDraw) -> bool:
    """Are all calls at hand? A pass is no loop, nor is a draw that is not the model's."""
    if draw.row is None or draw.origin != "MODEL" or draw.exit == "pass" or draw.mix in EARLIER:
        return True
    return not isinstance(draw.row.tools, NotMeasured) and draw.row.tools.complete


METRIC = Metric(Entry("MT017", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
