"""The row names why it stopped, from a closed list, and holds no fact that says more.

Why it matters: a foreign ledger often keeps one word where a run of ours keeps events.

Bad: the word "infra" is read as a fact, although nobody saw an event.
Good: the word decides with low confidence, and never makes a pass or a fail of a row of ours.
Fix: export the events with the rows.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.hints import usable_hint
from denominator.labels.shape import ENDING, Answer, Ending, No, Rule, View
from denominator.labels.verdicts import imported_outcome, kept

STOPS: dict[str, tuple[str, str, str]] = {
    "pass": ("pass", "MODEL", ""),
    "tests_red": ("fail", "MODEL", ""),
    "no_patch": ("abstain", "MODEL", ""),
    "forbidden_path": ("fail", "MODEL", ""),
    "apply_error": ("unscoreable", "HARNESS", "apply_error"),
    "transport": ("unscoreable", "INFRA", "provider_error"),
    "infra": ("unscoreable", "INFRA", "env_flake"),
    "harness": ("unscoreable", "HARNESS", "no_verdict"),
}


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    word = facts.text(view.row.stop_reason)
    if word not in STOPS:
        return No("the row's stop reason decides nothing", ("stop_reason",))
    outcome, origin, reason = STOPS[word]
    if facts.is_own(view.row) and (outcome != "unscoreable" or word == "harness"):
        return No("a word never makes a pass or a fail of a row of ours, nor a fault of ours", ("stop_reason",))
    if outcome == "pass" and facts.text(view.row.runner_ending) not in facts.RUNNER_VERDICTS:
        return No("the runner came to no verdict, whatever the word says", ("stop_reason", "runner_ending"))
    if outcome == "unscoreable" and usable_hint(view) is not None and not imported_outcome(view):
        return No("a text may say more: text-hint is asked", ("stop_reason", "hints"))
    return kept(view, Ending(outcome, origin, f"the row's stop reason is {word}", ("stop_reason",), reason, "low"))


RULE = Rule(
    Entry("LB160", "stop-reason", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a verdict or a failure event on the row",
)
