"""Which decisions of people stand on one row.

- A person never makes a row a pass: tests decide that.
- A verdict outranks what people read in texts: making a graded row somebody else's needs an adjudication that quotes an
  event or a file. A report that gave the lie about itself stays a fail, and a violated control stays violated.
- Origin decides the outcome: not the model's -> unscoreable, with a reason; the model's -> fail, where no test passed it.
- A class or a bucket must fit the outcome that the row has then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.reviews import Decision
from denominator.records.words import Axis, ControlState, Mix, Origin, Outcome, Slice
from denominator.review.deciding.ruling import Case, Ruling
from denominator.review.words import FAIL_CLASSES, OPEN_AXES, PASSES

Fits = Callable[[Case, str, str], bool]
QUOTED = ("event", "file", "blob", "call")
SINGLE_AXES = (Axis.OUTCOME, *OPEN_AXES)
FITS: Mapping[str, tuple[Mix, ...]] = {
    Outcome.PASS: PASSES,
    Outcome.FAIL: tuple(bucket for bucket in Mix if bucket not in PASSES),
    Outcome.ABSTAIN: tuple(bucket for bucket in Mix if bucket not in PASSES),
}


def settle(
    key: AttemptKey,
    slice_: str,
    verdict: str,
    rules: Iterable[Label],
    decisions: Iterable[Decision],
    allowed: Mapping[str, Sequence[str]],
) -> Ruling:
    """What stands on one row. `verdict` is a word of `Grade`; `rules` are the labels that rules gave this row."""
    said = tuple(rules)
    stands = {label.axis: label.value for label in said if label.axis in SINGLE_AXES}
    by_axis = {decision.axis: decision for decision in decisions}
    violated = any((label.axis, label.value) == (Axis.CONTROL, ControlState.VIOLATED) for label in said)
    case = Case(key, slice_, verdict, dict(stands), allowed, by_axis, violated)
    for axis, decision in sorted(case.decisions.items()):
        if case.final(axis) is None:
            _without_value(case, axis, decision)
    _origin(case)
    _reason(case)
    _fitting(case, Axis.FAILURE_CLASS, _class_fits)
    _fitting(case, Axis.MIX, _mix_fits)
    changed = frozenset(axis for axis, value in case.stands.items() if value != stands.get(axis, ""))
    return Ruling(case.labels, case.stands, changed, tuple(case.disputes), case.adjudicated)


def _without_value(case: Case, axis: str, decision: Decision) -> None:
    """Disputed, one person alone, or words that no person may use."""
    strange = set(decision.values) - set(case.allowed.get(axis, ()))
    if axis not in case.allowed:
        case.refuse(decision, f"{axis} is not open to people")
    elif strange:
        case.refuse(decision, f"{', '.join(sorted(strange))} is no value of {axis} that people may give")
    elif decision.state == "disputed":
        case.refuse(decision, "people differ: it needs an adjudication")
    elif set(decision.values) != {case.stands.get(axis, "")}:
        case.refuse(decision, "one person alone: it needs a second one or an adjudication")


def _origin(case: Case) -> None:
    decision = case.final(Axis.ORIGIN)
    if decision is None:
        return
    if decision.value == case.stands.get(Axis.ORIGIN):
        case.give(decision)
    elif decision.value == Origin.MODEL:
        _to_the_model(case, decision)
    else:
        _from_the_model(case, decision)


def _to_the_model(case: Case, decision: Decision) -> None:
    if case.verdict == "green":
        case.refuse(decision, "its tests are green, and only tests make a pass")
        return
    case.give(decision)
    case.put(Axis.OUTCOME, Outcome.FAIL, "follows from origin MODEL: no test passed it", (), decision)
    case.stands[Axis.REASON] = ""


def _from_the_model(case: Case, decision: Decision) -> None:
    quoted = any(one.kind in QUOTED and (one.ref or one.quote) for one in decision.evidence)
    if case.verdict == "tampered":
        case.refuse(decision, "its report gave the lie: it stays a fail")
    elif case.violated:
        case.refuse(
            decision, "it violates a control, which nobody talks away: repair the pack or the harness, run again"
        )
    elif case.verdict != "none" and not (decision.state == "adjudicated" and quoted):
        case.refuse(decision, "it has a verdict: this needs an adjudication that quotes an event or a file")
    elif case.final(Axis.REASON) is None:
        case.refuse(decision, "not the model's, but people agree on no reason")
    else:
        case.give(decision)
        case.put(Axis.OUTCOME, Outcome.UNSCOREABLE, f"follows from origin {decision.value}", (), decision)


def _reason(case: Case) -> None:
    decision = case.final(Axis.REASON)
    if decision is None or any(dispute.axis == Axis.ORIGIN for dispute in case.disputes):
        return
    if case.stands.get(Axis.OUTCOME) == Outcome.UNSCOREABLE:
        case.give(decision)
    else:
        case.refuse(decision, "only an unscoreable row has a reason")


def _fitting(case: Case, axis: Axis, fits: Fits) -> None:
    decision = case.final(axis)
    if decision is None:
        return
    outcome = case.stands.get(Axis.OUTCOME, "")
    if fits(case, outcome, decision.value):
        case.give(decision)
    else:
        case.refuse(decision, f"a row that is {outcome or 'not judged'} cannot be {decision.value}")


def _class_fits(_case: Case, outcome: str, value: str) -> bool:
    return outcome == Outcome.FAIL and value in FAIL_CLASSES


def _mix_fits(case: Case, outcome: str, value: str) -> bool:
    return case.slice == Slice.SOLVABLE and value in FITS.get(outcome, ())
