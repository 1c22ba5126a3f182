"""No test and no agent reaches the live network.

Why it matters: what answers on the network changes between two runs, and the answer to a task may be found there. A red
test is then anyone's, and a green one may be a download.

Bad: `network = true`, and a rate. Good: network off, or a gateway to the one declared endpoint.
Fix: close the network of the sandbox, put what the tests need into the image, run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """What the terms say about the network of the box."""
    if sheet.terms.network == "open":
        yield block("network", "agent and tests could reach the live network", "close the network and run again")


RULE = Rule(
    Entry("GL051", "open-network", "0.1.0", "gate", __doc__ or ""),
    check,
    "no live network could be reached, as far as is stated",
)
