"""The one shape of a decision: a view in, an ending out, or nothing when the decision does not apply."""

from __future__ import annotations

from collections.abc import Callable

from denominator.labels import facts
from denominator.labels.shape import Ending, View

SAID = {"pass": "green", "fail": "red"}


Decision = Callable[[View], Ending | None]


def fail(why: str, *fields: str) -> Ending:
    """A fail that is the model's own."""
    return Ending("fail", "MODEL", why, fields)


def abstain(why: str, *fields: str) -> Ending:
    """The agent said no, or said nothing and left the tree alone."""
    return Ending("abstain", "MODEL", why, fields)


def unscoreable(origin: str, reason: str, why: str, *fields: str) -> Ending:
    """Somebody else's ending; without a reason nobody can explain it."""
    return Ending("unscoreable", origin, why, fields, reason)


def imported_outcome(view: View) -> str:
    """What the source of a foreign row says of its outcome, or nothing."""
    label = view.imported.get("outcome")
    return label.value if label is not None else ""


def verdict_of(view: View) -> str:
    """The verdict that a grader saw, or the one that the source reports where no grade is a fact; else nothing."""
    if facts.has_verdict(view.row):
        return view.row.grade
    return SAID.get(imported_outcome(view), "")
