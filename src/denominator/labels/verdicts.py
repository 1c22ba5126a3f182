"""What counts as a verdict, and the clauses that a green row must also keep to be a pass."""

from __future__ import annotations

from dataclasses import replace

from denominator.labels import facts
from denominator.labels.results import fail
from denominator.labels.shape import Ending, View
from denominator.records.rows import AttemptRow

SAID = {"pass": "green", "fail": "red"}


def imported_outcome(view: View) -> str:
    """What the source of a foreign row says of its outcome, or nothing."""
    label = view.imported.get("outcome")
    return label.value if label is not None else ""


def verdict_of(view: View) -> str:
    """The verdict that a grader saw, or the one that the source reports where no grade is a fact; else nothing.

    Where a runner's ending denies a grade, the source's word for it is no verdict either.
    """
    grade = facts.grade_of(view.row)
    if grade in facts.VERDICTS:
        return grade
    if facts.text(view.row.runner_ending) not in facts.RUNNER_VERDICTS or facts.contradicted(view.row):
        return ""
    return SAID.get(imported_outcome(view), "")


def broken_clauses(row: AttemptRow) -> tuple[tuple[str, str], ...]:
    """The clauses of a pass that a green row breaks, each with the fact that shows it."""
    own = facts.is_own(row)
    clauses = (
        (facts.slipped(row), "a path outside the allow-list was touched", "patch.outside"),
        (row.canary_hits, "the canary token is in the patch or the log", "canary_hits"),
        (row.canary_echo is True, "the card with the canary token reached the agent", "canary_echo"),
        (row.leaks_read, "the agent read places that hold the answer", "leaks_read"),
        (facts.invented(row), "a surface is used that nobody defines", "surfaces.invented"),
        (facts.guessed(row), "a required file was absent and nobody asked", "required_missing"),
        *((True, f"not all {name} failed as they must", name) for name in facts.short_tallies(row)),
        (facts.ids_disagree(row), "the reported ids are not exactly the expected ones, all passed", "tests"),
        (facts.counts_broken(row), "the report does not count every expected test as passed", "test_counts"),
        (own and facts.not_measured(row.patch), "no patch was recorded", "patch"),
    )
    return tuple((what, name) for broken, what, name in clauses if broken)


def green_but(row: AttemptRow) -> Ending | None:
    """A green row that breaks a clause of a pass is a fail, and says which."""
    broken = broken_clauses(row)
    if not broken:
        return None
    return fail("green, but " + "; ".join(what for what, _ in broken), "grade", *(name for _, name in broken))


def kept(view: View, found: Ending) -> Ending:
    """A pass that the source claims must keep the clauses whose facts the row does hold."""
    broken = green_but(view.row) if found.outcome == "pass" else None
    return replace(broken, confidence="low") if broken else found
