"""What people may say: the axes that are open to them, and the values of each.

`outcome` is not among them: tests decide what is a pass. What is left of a row's outcome follows from its origin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from denominator.records.words import Axis, FailureClass, Mix, Origin, Reason

PERSON = "person:"
ADJUDICATION = "adjudication"
"""Stands where a label of a sheet has the sheet's id."""

FAIL_CLASSES = (
    FailureClass.COMPILE_FAIL,
    FailureClass.TEST_FAIL,
    FailureClass.TIMEOUT,
    FailureClass.NO_PATCH,
    FailureClass.OVER_EDIT,
)
PASSES = (Mix.PASS_CONTRACT, Mix.PASS_WEAK)
OPEN_AXES = (Axis.ORIGIN, Axis.REASON, Axis.FAILURE_CLASS, Axis.MIX)
"""In the order in which a sheet asks."""


def allowed_values(house_reasons: Iterable[str] = ()) -> Mapping[str, tuple[str, ...]]:
    """The values of every open axis; a house's own reasons, declared before the run, are reasons too."""
    house = sorted({*house_reasons} - {str(reason) for reason in Reason})
    return {
        str(Axis.ORIGIN): tuple(str(word) for word in Origin),
        str(Axis.REASON): (*(str(word) for word in Reason), *house),
        str(Axis.FAILURE_CLASS): tuple(str(word) for word in FAIL_CLASSES),
        str(Axis.MIX): tuple(str(word) for word in Mix),
    }
