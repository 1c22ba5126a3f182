"""Calls to the provider were retried and recovered.

Why it matters: recovered errors cost time; they are facts of the row and never its cause.

Bad: a recovered 429 censors the row.
Good: tag provider_retried, the number stands on the row.
Fix: nothing to fix.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if isinstance(view.row.provider_retries, int) and view.row.provider_retries > 0:
        return Said("provider_retried", "calls were retried", ("provider_retries",))
    return No("it does not hold", ("provider_retries",))


RULE = Rule(
    Entry("LB423", "tag-provider-retried", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
