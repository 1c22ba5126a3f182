"""How a row ended, in the classes of the failure ledger.

Why it matters: two agents with one pass rate can fail in ways that need opposite repairs; one never finishes, the
other edits too much.

The first that holds of LB201 to LB210: pass, compile_fail (the tests could not even be collected), test_fail, timeout
(its own budget), no_patch, over_edit (a forbidden or unlisted path was touched, even when the tests are green),
censored (not the model's, reason known), unresolved (nobody knows).

Bad: a crash of the harness in class test_fail. Good: censored with the reason grader_error.
Fix: an unresolved row needs an event that explains it; until then no number is printed.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB004", "failure-class", "0.1.0", "labels", __doc__ or ""))
