"""How one attempt ended and whose ending it was: the order of decisions that outcome, origin and reason share.

The first decision that applies wins. A verdict outranks every failure event; without one the earliest unrecovered
failure decides; the agent's own spent budget is the agent's; what nobody can explain is nobody's pass.
"""

from __future__ import annotations

from denominator.labels.decisions import baseline, failures, limits, sources, verdicts
from denominator.labels.decisions.shape import Decision, Ending, unscoreable
from denominator.labels.shape import View

DECISIONS: tuple[Decision, ...] = (
    # A report that lies about itself is believed in nothing.
    verdicts.tampered,
    verdicts.already_green,
    # The tests ran on an untouched tree because something had ended the agent: no verdict on the agent.
    failures.before_any_change,
    # The same tests with the agent off.
    baseline.flaky,
    baseline.expired,
    baseline.bad_task,
    # A verdict, or the agent's own word that there is none.
    verdicts.asked,
    limits.verdict_after_cap,
    verdicts.silent,
    sources.assumed_surface,
    verdicts.graded,
    # No verdict: the earliest failure that nothing recovered from, then who ended it.
    failures.never_closed,
    failures.before_grading,
    limits.run_cap,
    limits.own_budget,
    failures.in_grading,
    limits.killed,
    failures.died_in_grading,
    # No fact decides: what a foreign source says.
    sources.stop_reason,
    sources.judgement,
)


def ending(view: View) -> Ending:
    """The first decision that applies; nothing decided is the harness's, without a reason, for a person to look at."""
    for decide in DECISIONS:
        found = decide(view)
        if found is not None:
            return found
    return unscoreable("HARNESS", "", "no verdict, and no event explains why", "grade", "stop_reason")
