"""One host and one number format behind the endpoint inside one run.

Why it matters: a router that sends some calls to another machine, or to weights of a smaller number format, has run two
subjects under one name. Which rows went where is no property of the tasks.

Bad: two attempts served by h1 in bf16, one by h2 in int4. Good: one host, one format, on every answer.
Fix: pin the provider and the format at the router, split the rows by host, and run again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import Sheet

FIX = "pin host and number format at the router, split the rows, and run again"


def check(sheet: Sheet) -> Iterable[Said]:
    """Distinct hosts and distinct number formats, with how many attempts each."""
    hosts, formats = Counter[str](), Counter[str]()
    for row, many in sheet.rows():
        hosts.update(dict.fromkeys(row.served_hosts, many))
        formats.update(dict.fromkeys(row.quantisations, many))
    for subject, plural, counts in (("served_host", "hosts", hosts), ("quantisation", "quantisations", formats)):
        if len(counts) > 1:
            told = ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
            yield block(subject, f"served by {len(counts)} {plural} inside one run: {told}", FIX)


RULE = Rule(
    Entry("GL040", "mixed-hosts", "0.1.0", "gate", __doc__ or ""),
    check,
    "one host and one number format, where the responses name them",
)
