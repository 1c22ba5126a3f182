"""Questions to the facts of one row that several label rules ask. No judgement here, only reading."""

from __future__ import annotations

from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured

OWN_BUDGETS = frozenset(
    (
        "budget_wall",
        "budget_working",
        "budget_output",
        "budget_disk",
        "budget_tokens",
        "budget_tool_calls",
    )
)
AFTER_HELLO = frozenset(("runner_started", "collected", "finished"))
BEFORE_GRADING = frozenset(("run", "setup", "agent"))


def text(value: str | NotMeasured) -> str:
    """A text fact, or nothing when it was not measured."""
    return "" if isinstance(value, NotMeasured) else value


def not_measured(value: object) -> bool:
    """Is this fact unknown?"""
    return isinstance(value, NotMeasured)


def has_verdict(row: AttemptRow) -> bool:
    """Did a verdict come into being? Then no failure text can turn the row into somebody else's."""
    return row.grade in ("green", "red", "tampered")


def paused_longer_than_worked(row: AttemptRow) -> bool:
    """Did the provider's pauses take more of the wall clock than the agent did?"""
    if isinstance(row.paused_ms, NotMeasured) or isinstance(row.working_ms, NotMeasured):
        return False
    return row.paused_ms > row.working_ms


def spent_budget(row: AttemptRow) -> bool:
    """Did the agent end because its own declared budget was spent?"""
    killed = text(row.killed_by)
    if killed == "budget_wall" and paused_longer_than_worked(row):
        return False
    if killed in OWN_BUDGETS:
        return True
    claimed = text(row.stop_reason) in ("timeout", "budget")
    return claimed and (killed in ("", "nobody")) and row.source.kind != "own"


def failed_before_grading(row: AttemptRow) -> bool:
    """Is the earliest unrecovered failure from before the verifier's phase?"""
    return row.first_unrecovered is not None and row.first_unrecovered.phase in BEFORE_GRADING


def empty_patch(row: AttemptRow) -> bool:
    """Is it known that the agent changed nothing?"""
    patch = row.patch
    if isinstance(patch, NotMeasured) or patch.touched or patch.refused or patch.outside:
        return False
    return patch.bytes == 0 or bool(patch.base_tree and patch.base_tree == patch.final_tree)


def clean_end(row: AttemptRow) -> bool:
    """Did the agent end by itself, without a signal and without an error exit, as far as is known?"""
    return (
        text(row.killed_by) in ("", "nobody")
        and (isinstance(row.agent_signal, NotMeasured) or row.agent_signal == 0)
        and (isinstance(row.agent_exit, NotMeasured) or row.agent_exit == 0)
    )


def used_channel(row: AttemptRow) -> bool:
    """Was the ask or abstain channel used?"""
    return row.asked is True or row.abstained is True


def slipped(row: AttemptRow) -> tuple[str, ...]:
    """Paths outside the allow-list or on the forbidden list that the agent touched, or nothing."""
    if isinstance(row.patch, NotMeasured):
        return ()
    return tuple(sorted({*row.patch.outside, *row.patch.forbidden}))


def short_tallies(row: AttemptRow) -> tuple[str, ...]:
    """Which of sentinels and counter-tests failed less often than they must."""
    short = []
    for name in ("sentinels", "counter_tests"):
        tally = getattr(row, name)
        if not isinstance(tally, NotMeasured) and tally.failed < tally.expected:
            short.append(name)
    return tuple(short)


def ids_disagree(row: AttemptRow) -> bool:
    """Did the report lack an expected test, hold one that nobody expected, or hold one that did not pass?"""
    tests = row.tests
    if isinstance(tests, NotMeasured):
        return False
    return bool(tests.missing or tests.other or tests.failed or tests.skipped) or set(tests.expected) != set(
        tests.passed
    )


def canary_searched(row: AttemptRow) -> bool:
    """Was the patch searched for the canary token? Ours always is; a foreign one only where its text is at hand."""
    if row.source.kind == "own":
        return not isinstance(row.patch, NotMeasured)
    return row.canary_searched is True


def guessed(row: AttemptRow) -> bool:
    """Was a required file absent and did the agent go on without asking or abstaining?"""
    return bool(row.required_missing) and not used_channel(row)
