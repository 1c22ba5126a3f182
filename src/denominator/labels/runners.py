"""What the ending of a test runner means where it is no verdict: the patch's doing, or a grader that did not work."""

from __future__ import annotations

from denominator.labels import facts
from denominator.labels.hints import usable_hint
from denominator.labels.results import fail, unscoreable
from denominator.labels.shape import Answer, No, View
from denominator.records.words import Phase

LOOKED_AT = ("runner_ending", "runner_blames_patch", "baseline_collects", "test_counts")


def ended_as(view: View, *endings: str) -> No | None:
    """Why this is none of the endings that a rule is about, or nothing when it is."""
    if facts.has_verdict(view.row):
        return No("there is a verdict", ("grade",))
    if facts.text(view.row.runner_ending) not in endings:
        return No("the runner did not end so", ("runner_ending",))
    return None


def patch_or_grader(view: View, told: str, *, unhealthy: str = "") -> Answer:
    """The model's when the ending points at the patch; else the grader's, unless a text may name another cause."""
    if facts.blames_patch(view.row):
        return fail(f"{told}, and that points at the patch", *LOOKED_AT)
    if usable_hint(view, Phase.VERIFY) is not None:
        return No("a text of the verifier may name the cause: text-hint is asked", (*LOOKED_AT, "hints"))
    why = f"{told}, and nothing points at the patch{unhealthy}"
    return unscoreable("HARNESS", "grader_error", why, *LOOKED_AT)
