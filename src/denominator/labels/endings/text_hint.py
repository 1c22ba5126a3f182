"""Nothing structured explains the row; the earliest known text in a stream of the harness names a cause.

Why it matters: many results exist only as a mixed log; a pattern can say where to look, and nothing more.

Bad: "429" in the agent's own output censors the row.
Good: low confidence, from streams that the agent does not own, only where there is no verdict; a person must look.
Fix: record the failure as an event: then no text is needed.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.causes import cause_rule
from denominator.labels.hints import field_of, phase_of, usable_hint
from denominator.labels.shape import ENDING, Answer, Ending, No, Rule, View
from denominator.labels.verdicts import verdict_of
from denominator.records.words import Phase


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if verdict_of(view) or view.row.first_unrecovered is not None or "reason" in view.imported:
        return No("something better than a text explains the row", ("grade", "first_unrecovered"))
    ended = facts.text(view.row.runner_ending) not in facts.RUNNER_VERDICTS
    hint = usable_hint(view, Phase.VERIFY if ended else "")
    if hint is None:
        return No("no text in a stream of the harness counts here", ("hints",))
    rule = cause_rule(hint.cause, view.terms.causes)
    why = f"a text in a stream of phase {phase_of(hint)} speaks of {hint.cause}; a person must look"
    if rule.origin == "MODEL":
        return Ending("fail", "MODEL", why, (field_of(hint),), "", "low")
    return Ending("unscoreable", rule.origin, why, (field_of(hint),), rule.reason, "low")


RULE = Rule(
    Entry("LB161", "text-hint", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a verdict, or a failure event: every one of them outranks a text",
)
