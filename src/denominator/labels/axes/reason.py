"""Why a row is unscoreable, from a closed list.

Why it matters: "error" explains nothing. A list of reasons shows whether a host was full, a key was exhausted or a
grader was broken, and it can be capped beforehand.

Bad: reason "other" on a third of the rows. Good: 4 x provider_rate_limit, 1 x disk_full.

A row for which no reason is known gets none here; its failure class is `unresolved`, and the gate refuses it.
Fix: add a reason of your house to the envelope before the run, not to the rows after it.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB003", "reason", "0.1.0", "labels", __doc__ or ""))
