"""What a run or a manifest says about itself may lower what it can claim.

Why it matters: a run without a sandbox (`--no-sandbox`), a run in the weak one (backend `landlock`, where several
protections do not hold), or rows from a harness that hides its tests from nobody, can be counted; a rate would promise
more than was done.

Bad: `--no-sandbox` on a laptop, or `landlock` in a container, and a percentage in the slides. Good: counts, with the
reason beside them. Fix: remove the listed reason (backend `bubblewrap` or `docker`) and run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """One note per reason."""
    for reason in sorted(set(sheet.terms.capped_at_counts)):
        yield note("claims", f"capped at counts: {reason}", "remove the reason and run again")


RULE = Rule(
    Entry("GL023", "lowered-claims", "0.1.0", "gate", __doc__ or ""),
    check,
    "nothing lowers what may be claimed",
    caps=True,
)
