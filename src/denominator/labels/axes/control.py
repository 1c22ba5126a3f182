"""Did a control hold? Held, violated or inconclusive; never a pass or a fail in a rate.

Why it matters: a grader that passes the impossible passes everything. A control is the only cheap way to see that,
and it is worth nothing when its result is averaged into the rate.

must_fail, known_bad_must_fail, must_stay_red: any pass violates; fail and abstain hold.
noop_must_stay_green: green and nothing edited holds; an edit or a red tree violates.
must_ask: asking, abstaining or ending cleanly without a patch holds; a patch is a guess and violates.
canary: the token in a patch violates; a patch that nobody searched is inconclusive. floor: any verdict holds, the
one-line fix measures the harness.
gold_must_pass, empty_patch_must_fail: as their names say. What infrastructure or the harness ended is inconclusive.

Bad: the impossible task is green and the table shows "17 of 17". Good: control violated, no number at all.
Fix: find out why the grader passed it (weak test, ignored limit, wrong label), repair the pack under a new version,
run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB006", "control", "0.1.0", "labels", __doc__ or ""))
