"""Short ways to say an ending."""

from __future__ import annotations

from denominator.labels.causes import cause_rule
from denominator.labels.shape import Answer, Ending, No, View


def fail(why: str, *fields: str) -> Ending:
    """A fail that is the model's own."""
    return Ending("fail", "MODEL", why, fields)


def abstain(why: str, *fields: str) -> Ending:
    """The agent said no, or said nothing and left the tree alone."""
    return Ending("abstain", "MODEL", why, fields)


def unscoreable(origin: str, reason: str, why: str, *fields: str) -> Ending:
    """Somebody else's ending; without a reason nobody can explain it."""
    return Ending("unscoreable", origin, why, fields, reason)


def by_cause(view: View) -> Answer:
    """What the cause table makes of the earliest failure that nothing recovered from."""
    failure = view.row.first_unrecovered
    if failure is None:
        return No("no failure was recorded that nothing recovered from", ("first_unrecovered",))
    rule = cause_rule(failure.cause, view.terms.causes)
    why = f"{failure.cause} by {failure.writer} in phase {failure.phase}, and nothing recovered from it"
    if rule.origin == "MODEL":
        return fail(why, "first_unrecovered")
    return unscoreable(rule.origin, rule.reason, why, "first_unrecovered")
