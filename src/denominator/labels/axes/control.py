"""Did a control hold? Held, violated or inconclusive; never a pass or a fail in a rate.

Why it matters: a grader that passes the impossible passes everything. A control is the only cheap way to see that,
and it is worth nothing when its result is averaged into the rate.

Each type of control has a rule of its own, LB501 to LB511; what infrastructure or the harness ended is inconclusive,
and so is a control that no rule knows.

Bad: the impossible task is green and the table shows "17 of 17". Good: control violated, no number at all.
Fix: find out why the grader passed it (weak test, ignored limit, wrong label), repair the pack under a new version,
run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB006", "control", "0.1.0", "labels", __doc__ or ""))
