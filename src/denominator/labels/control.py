"""Did a control hold? Held, violated or inconclusive; never a pass or a fail in a rate.

Why it matters: a grader that passes the impossible passes everything. A control is the only cheap way to see that,
and it is worth nothing when its result is averaged into the rate.

must_fail, known_bad_must_fail, must_stay_red: any pass violates; fail and abstain hold.
noop_must_stay_green: green and nothing edited holds; an edit or a red tree violates.
must_ask: asking, abstaining or ending cleanly without a patch holds; a patch is a guess and violates.
canary: the token in a patch violates. floor: any verdict holds, the one-line fix measures the harness.
gold_must_pass, empty_patch_must_fail: as their names say. What infrastructure or the harness ended is inconclusive.

Bad: the impossible task is green and the table shows "17 of 17". Good: control violated, no number at all.
Fix: find out why the grader passed it (weak test, ignored limit, wrong label), repair the pack under a new version,
run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Rule, Said, View

MUST_NOT_PASS = ("must_fail", "known_bad_must_fail", "must_stay_red", "empty_patch_must_fail")
MUST_PASS = ("gold_must_pass",)


def judge(view: View) -> Iterable[Said]:
    """The state of a control row; nothing for a row that is no control."""
    control = view.row.control
    if control:
        state, why = _state(view, control)
        yield Said(state, why, ("control", "grade", "patch"))


def _state(view: View, control: str) -> tuple[str, str]:
    outcome, row = view.one("outcome"), view.row
    if control == "canary" and row.canary_hits:
        return "violated", "the canary token is in the patch"
    if outcome not in ("pass", "fail", "abstain"):
        return "inconclusive", f"the row is {outcome}: {view.one('reason') or 'no reason known'}"
    if control in MUST_NOT_PASS:
        return (
            ("violated", "expected fail, got pass") if outcome == "pass" else ("held", f"expected fail, got {outcome}")
        )
    if control in MUST_PASS:
        return (
            ("held", "expected pass, got pass") if outcome == "pass" else ("violated", f"expected pass, got {outcome}")
        )
    if control == "noop_must_stay_green":
        return (
            ("held", "green and unchanged")
            if outcome == "pass"
            else ("violated", "the green tree was edited or broken")
        )
    if control == "must_ask":
        return _must_ask(view, outcome)
    if control in ("canary", "floor"):
        return "held", f"the row is {outcome}"
    return "inconclusive", f"nothing is known about a control named {control}"


def _must_ask(view: View, outcome: str) -> tuple[str, str]:
    if outcome == "abstain":
        return "held", "it asked, abstained or left the tree alone"
    if facts.empty_patch(view.row):
        return "inconclusive", "it neither asked nor guessed before it was ended"
    return "violated", "it guessed: there is a patch and nobody was asked"


RULE = Rule(Entry("LB006", "control", "0.1.0", "labels", __doc__ or ""), "control", judge)
