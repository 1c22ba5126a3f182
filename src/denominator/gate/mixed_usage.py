"""The tokens of an arm are from one source: its provider, its agent, or one named estimator.

Why it matters: an estimate is off by a few percent in one direction and an agent's own account by what it forgot; added to
a provider's counts they give a sum that nobody counted.

Bad: 7 attempts counted by the provider and one estimated, added up. Good: "usage is from provider and estimated:x@1: no
figure of tokens is made"; pass rates stand.
Fix: take the provider's usage of every attempt, or `denominator spend --estimate` for every arm.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import Sheet
from denominator.records.usage_sources import mixes_sources


def check(sheet: Sheet) -> Iterable[Said]:
    """Sources of usage that were named."""
    if mixed := mixes_sources(sheet):
        what = f"usage is from {' and '.join(mixed)}: no figure of tokens is made"
        yield note(
            "usage", what, "take one source for every attempt, or estimate every arm: denominator spend --estimate"
        )


RULE = Rule(
    Entry("GL065", "mixed-usage", "0.1.0", "gate", __doc__ or ""),
    check,
    "the tokens are from one source",
)
