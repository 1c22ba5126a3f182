"""For the time of the change: the decisions as rules."""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.asking import ENDING
from denominator.labels.decisions import baseline, failures, limits, sources, verdicts
from denominator.labels.decisions.shape import Decision, unscoreable
from denominator.labels.shape import Answer, No, Rule, View

DECISIONS: tuple[Decision, ...] = (
    verdicts.tampered,
    verdicts.already_green,
    failures.before_any_change,
    baseline.flaky,
    baseline.expired,
    baseline.bad_task,
    verdicts.asked,
    limits.verdict_after_cap,
    verdicts.silent,
    sources.assumed_surface,
    verdicts.graded,
    failures.never_closed,
    failures.before_grading,
    limits.run_cap,
    limits.own_budget,
    failures.in_grading,
    limits.killed,
    failures.died_in_grading,
    sources.stop_reason,
    sources.judgement,
    lambda _view: unscoreable("HARNESS", "", "no verdict, and no event explains why", "grade", "stop_reason"),
)


def _rule(number: int, decision: Decision) -> Rule:
    def judge(view: View) -> Answer:
        return decision(view) or No("it does not apply")

    name = "no-verdict" if decision.__name__ == "<lambda>" else decision.__name__.replace("_", "-")
    doc = f"{(decision.__doc__ or 'Nothing decided.').strip()}\n\nBad: nobody asks. Good: it is asked in order.\n"
    doc += "Why it matters: see LB001.\nFix: see LB001."
    return Rule(Entry(f"LB1{number:02}", f"ending-{name}", "0.1.0", "label endings", doc), ENDING, judge)


ENDINGS = tuple(_rule(number, decision) for number, decision in enumerate(DECISIONS, 1))
