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

from collections.abc import Callable, Iterable

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import No, Rule, Said, View
from denominator.records.words import MUST_NOT_PASS, Control


def _judge(view: View) -> Iterable[Said]:
    """The state of a control row; nothing for a row that is no control."""
    control = view.row.control
    if control:
        state, why = _state(view, control)
        yield Said(state, why, ("control", "grade", "patch"))


def _state(view: View, control: str) -> tuple[str, str]:
    outcome, row = view.one("outcome"), view.row
    if control == Control.CANARY and row.canary_hits:
        return "violated", "the canary token is in the patch"
    if outcome not in ("pass", "fail", "abstain"):
        return "inconclusive", f"the row is {outcome}: {view.one('reason') or 'no reason known'}"
    if control in MUST_NOT_PASS:
        return "violated" if outcome == "pass" else "held", f"expected fail, got {outcome}"
    if control == Control.GOLD_MUST_PASS:
        return "held" if outcome == "pass" else "violated", f"expected pass, got {outcome}"
    judge_one = OTHERS.get(control)
    return judge_one(view, outcome) if judge_one else ("inconclusive", f"nothing is known about a control {control}")


def _noop(view: View, outcome: str) -> tuple[str, str]:
    if outcome != "pass":
        return "violated", "the green tree was edited or broken"
    if facts.not_measured(view.row.patch):
        return "inconclusive", "green, but nobody recorded whether anything was edited"
    return "held", "green and unchanged"


def _canary(view: View, outcome: str) -> tuple[str, str]:
    if facts.canary_searched(view.row):
        return "held", f"no token in the patch, the row is {outcome}"
    return "inconclusive", "the patch was not searched for the token"


def _floor(_view: View, outcome: str) -> tuple[str, str]:
    return "held", f"it came to a verdict: {outcome}"


def _must_ask(view: View, outcome: str) -> tuple[str, str]:
    if outcome == "abstain":
        return "held", "it asked, abstained or left the tree alone"
    if facts.empty_patch(view.row):
        return "inconclusive", "it neither asked nor guessed before it was ended"
    if outcome == "fail" and facts.not_measured(view.row.patch):
        return "inconclusive", "it did not ask, and nobody recorded whether there is a patch"
    return "violated", "it guessed: there is a patch and nobody was asked"


OTHERS: dict[str, Callable[[View, str], tuple[str, str]]] = {
    Control.NOOP_MUST_STAY_GREEN: _noop,
    Control.MUST_ASK: _must_ask,
    Control.CANARY: _canary,
    Control.FLOOR: _floor,
}
RULE = Rule(
    Entry("LB006", "control", "0.1.0", "labels", __doc__ or ""),
    "control",
    lambda view: next(iter(_judge(view)), No("it does not apply")),
)
