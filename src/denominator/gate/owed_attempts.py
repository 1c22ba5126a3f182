"""Every draw that is tried until it is accepted got all its declared attempts.

Why it matters: a harness that stops before an attempt it cannot pay never passes its cap, so the sum looks complete. The
draws that still had attempts left make acceptance and tokens per accepted patch a matter of what was affordable.

Bad: acceptance 6 of 8, the last task with one attempt of two. Good: "t08 was owed a further attempt: acceptance and the
figures of tokens are censored"; the headline, which is of first attempts, stands.
The check: in foreign rows of spend, and wherever a source tries again after a fail, a draw whose last attempt failed has
fewer attempts than were declared. Not said while a violated control hides who failed.
Fix: a cap that the whole plan fits into.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, listed, note
from denominator.records.judgements import Sheet
from denominator.records.usage_sources import owed_attempts


def check(sheet: Sheet) -> Iterable[Said]:
    """Draws with attempts left."""
    if owed := owed_attempts(sheet):
        what = f"{listed(owed)}: owed a further attempt, so acceptance and the figures of tokens are censored"
        yield note("attempts", what, "raise the cap, then run the whole plan again")


RULE = Rule(
    Entry("GL066", "owed-attempts", "0.1.0", "gate", __doc__ or ""),
    check,
    "every draw got the attempts that it was owed",
    reads_split=True,
)
