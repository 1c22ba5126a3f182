"""Assumption share: declared draws that failed on a surface that exists nowhere.

Why it matters: an invented call works against a mock and nowhere else; only injecting the spec helps.

Numerator: draws of the solvable slice in bucket ASSUME_API. Denominator: its declared draws. Unit: draws. Estimand:
the share over tasks like these. Source: METHODS M1. While some surface of a draw whose bucket depends on it was held
against nothing, the count is only the least it can be and there is no share.

Bad: 0 of 20, because nobody looked. Good: "not evaluated for 7 draws (3 seen)".
Fix: freeze the allowed surface and keep the patches or the tool log.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share_where_known
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw
from denominator.records.values import NotMeasured
from denominator.records.words import Mix

NAME = "assumption_share"
ESTIMAND = "share of declared draws that failed on an invented surface"
EARLIER = (Mix.TIMEOUT, Mix.TOOL_LOOP, Mix.ASSUME_API)


def measure(read: Reading) -> Estimate:
    """Counted over declared draws, or how many of them nobody evaluated."""
    return share_where_known(
        NAME, ESTIMAND, read, lambda draw: draw.mix == Mix.ASSUME_API, _known, "surfaces were not evaluated"
    )


def _known(draw: JudgedDraw) -> bool:
    """Was every surface looked at? A draw that is not the model's, or whose bucket comes first, needs no look."""
    if draw.row is None or draw.origin != "MODEL" or draw.mix in EARLIER:
        return True
    surfaces = draw.row.surfaces
    return not isinstance(surfaces, NotMeasured) and not surfaces.unchecked


METRIC = Metric(Entry("MT016", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
