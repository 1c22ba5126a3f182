"""The terms of the endpoint did not change while the run went on.

Why it matters: an allowance that was cut in the middle stops the second half of the tasks at another place than the
first. Such a run is void, whatever its rows say.

Bad: `allowance` says 500 a day in the first rows, 200 in the last. Good: one text from the first row to the last.
Fix: read the terms again, make a new seal, run again from the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import Sheet

KEYS = ("terms", "terms_sha256", "terms_digest", "terms_version", "allowance", "reset_rule", "quota_limit")
FIX = "read the terms again, make a new seal, and run again from the start"
LONG = 60


def check(sheet: Sheet) -> Iterable[Said]:
    """Every key that tells terms and holds more than one value."""
    for key in KEYS:
        counts: Counter[str] = Counter()
        for row, many in sheet.rows():
            if row.extra.get(key, "null") != "null":
                counts[row.extra[key]] += many
        if len(counts) > 1:
            told = ", ".join(f"{value[:LONG]} ({count})" for value, count in sorted(counts.items()))
            yield block("terms", f"the endpoint's terms changed during the run, {key}: {told}", FIX)


RULE = Rule(
    Entry("GL042", "changed-terms", "0.1.0", "gate", __doc__ or ""),
    check,
    "no row shows other terms of the endpoint than another",
)
