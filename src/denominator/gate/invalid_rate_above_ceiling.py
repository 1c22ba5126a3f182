"""Invalid calls and unscoreable draws stay at or below the sealed ceiling.

Why it matters: above the ceiling the run describes the provider and the host. The rate over what is left looks
fine, because what failed to be scored has left it.

Bad: 31 rate-limited cases vanish and the rest gives 89.86 %. Good: NO_AGGREGATE, and the stratum is shown with 0
scoreable of 31.

A foreign manifest without a ceiling is noted and capped at counts. A rate equal to the ceiling does not block. The
ceiling applies to invalid calls over calls made, where calls were recorded, and to unscoreable draws over declared
draws; a log of single calls holds no verdicts, so its draws are unresolved (GL013) and only its calls are held here.
Above it no rate is shown but those of what host and provider did, the invalid calls by class among them.
Fix: run again at another time or under another quota; never raise the ceiling after the results.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, above, block, note
from denominator.records.judgements import Sheet

CALLS = "rows/calls"


def check(sheet: Sheet) -> Iterable[Said]:
    """Both shares against the ceiling; no ceiling is a note for foreign rows and a block for our own."""
    ceiling = sheet.terms.invalid_ceiling
    if not ceiling:
        own = sheet.terms.origin == "seal"
        say = block if own else note
        yield say("ceiling", "no invalid-rate ceiling was declared", "declare invalid_rate in the ceilings")
        return
    calls_only = sheet.ledger.shape == CALLS
    for metric in ("invalid_call_rate",) if calls_only else ("invalid_call_rate", "unscoreable_rate"):
        found = sheet.estimate(metric)
        if found is not None and above(found.numerator, found.denominator, ceiling):
            classes = ", ".join(f"{name} {number}" for name, number in found.by)
            by = f" (by class: {classes})" if classes else ""
            what = f"NO_AGGREGATE: {metric} {found.numerator} of {found.denominator} is above the ceiling {ceiling}{by}"
            yield block(metric, what, "run again; a ceiling is never raised after the results")


RULE = Rule(
    Entry("GL014", "invalid-rate-above-ceiling", "0.1.0", "gate", __doc__ or ""),
    check,
    "invalid and unscoreable shares are at or below the ceiling",
    caps=True,
    no_aggregate=True,
    only_host=True,
)
