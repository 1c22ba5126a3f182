"""Every attempt ends exactly once: pass, fail, abstain or unscoreable.

Why it matters: a row with two exits is counted twice, a row with none disappears from the denominator, and both
move the rate without any agent having done anything.

Bad: an errored row is dropped and 16 of 20 becomes 16 of 18. Bad: a green row that touched a forbidden file counts
as a pass.
Good: 16 pass, 2 fail, 2 unscoreable, and the four numbers add up to the 20 that were declared.

The rules LB101 to LB199 are asked in order, and the first that holds gives outcome, origin and reason at once. A pass
needs every clause: green on exactly the expected tests, sentinels and counter-tests failed as they must, nothing
outside the allow-list, no canary, no place of the answer that was read, no invented surface, no required file that was
absent and not asked for, no spent budget under on_timeout "fail".
Fix: nothing to fix in a label; read its evidence, and change the facts (the run) or the rule (a new version).
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB001", "outcome", "0.1.0", "labels", __doc__ or ""))
