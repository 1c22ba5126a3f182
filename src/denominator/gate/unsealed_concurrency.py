"""How many attempts ran side by side is written down before the run.

Why it matters: neighbours take processor, memory, ports and rate limits. The same agent at another concurrency meets
other limits, so without it there is no headline.

Bad: a rate from "as many workers as there were". Good: concurrency = 4, sealed, and the baseline taken at 4.
A foreign manifest that does not state it is noted, and the sentence is capped at counts.
Fix: state `concurrency` in the manifest; our own envelopes have `run.concurrency`.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.known import stated
from denominator.gate.shape import Rule, Said, block, note
from denominator.records.judgements import Sheet

FIX = "state the concurrency before the run"


def check(sheet: Sheet) -> Iterable[Said]:
    """The sealed or stated concurrency."""
    if sheet.terms.origin == "seal":
        if "run.concurrency" in sheet.terms.missing:
            yield block("run.concurrency", "concurrency is not sealed: no headline", FIX)
    elif not stated(sheet.terms, "concurrency"):
        yield note("manifest", "concurrency is not stated: counts, no headline", FIX)


RULE = Rule(
    Entry("GL047", "unsealed-concurrency", "0.1.0", "gate", __doc__ or ""),
    check,
    "concurrency was fixed before the run",
    caps=True,
)
