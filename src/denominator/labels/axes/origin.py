"""Whose ending it was: MODEL, HARNESS, INFRA or FLAKY_TEST.

Why it matters: a provider's outage scored as the agent's failure makes agents look worse on bad days; an agent's
crash excused as infrastructure makes fragile agents look better. Both are invisible in a percentage.

Bad: exit code 137 is read as "out of memory" although the harness itself sent the signal at the agent's own
deadline.
Bad: a rate-limit error that a retry recovered from censors a row that has a red verdict.
Good: the earliest event that nothing recovered from decides, by who wrote it and in which phase; a verdict outranks
all of them.

Only MODEL rows enter `resolved_rate`; the others are censored, counted and shown.
Fix: see the evidence of the label; for a row without any explaining event, record who ended it.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB002", "origin", "0.1.0", "labels", __doc__ or ""))
