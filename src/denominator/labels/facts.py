"""Questions to the facts of one row that several label rules ask. No judgement here, only reading."""

from __future__ import annotations

from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.records.words import Grade, KilledBy, RunnerEnding, StopReason

OWN_BUDGETS = frozenset(
    (
        KilledBy.BUDGET_WALL,
        KilledBy.BUDGET_WORKING,
        KilledBy.BUDGET_OUTPUT,
        KilledBy.BUDGET_DISK,
        KilledBy.BUDGET_TOKENS,
        KilledBy.BUDGET_TOOL_CALLS,
        KilledBy.BUDGET_CALLS,
    )
)
OTHERS_STOPS = frozenset((StopReason.TRANSPORT, StopReason.INFRA, StopReason.HARNESS))
AFTER_HELLO = frozenset(("runner_started", "collected", "finished"))
BEFORE_GRADING = frozenset(("run", "setup", "agent"))
VERDICTS = (Grade.GREEN, Grade.RED, Grade.TAMPERED)
RUNNER_VERDICTS = (RunnerEnding.PASSED, RunnerEnding.ASSERTION_FAILED, RunnerEnding.UNKNOWN, "")


def text(value: str | NotMeasured) -> str:
    """A text fact, or nothing when it was not measured."""
    return "" if isinstance(value, NotMeasured) else value


def not_measured(value: object) -> bool:
    """Is this fact unknown?"""
    return isinstance(value, NotMeasured)


def is_own(row: AttemptRow) -> bool:
    """Is it a row of a run of ours, graded by our own grader in a clean tree?"""
    return row.source.kind == "own"


def grade_of(row: AttemptRow) -> str:
    """The grade that stands: green, red, tampered or none.

    Our own grader has already held report, ids, status and sentinels against each other. A foreign grade does not stand
    beside a runner that came to no verdict or to the opposite one; a report alone can be a foreign grade.
    """
    if is_own(row) or row.grade == Grade.TAMPERED:
        return row.grade
    ending = text(row.runner_ending)
    if ending not in RUNNER_VERDICTS or contradicted(row):
        return Grade.NONE
    if row.grade != Grade.NONE:
        return row.grade
    if ending == RunnerEnding.ASSERTION_FAILED:
        return Grade.RED
    return Grade.GREEN if ending == RunnerEnding.PASSED and all_passed(row) else Grade.NONE


def contradicted(row: AttemptRow) -> bool:
    """Do a foreign grade and the ending of its runner say opposite things, or report and exit status?"""
    if is_own(row):
        return False
    ending = text(row.runner_ending)
    opposite = ((Grade.GREEN, RunnerEnding.ASSERTION_FAILED), (Grade.RED, RunnerEnding.PASSED))
    return ending == RunnerEnding.DISAGREES or (row.grade, ending) in opposite


def all_passed(row: AttemptRow) -> bool:
    """Does the report account for every expected test as passed? Only where it says how many were expected."""
    counts = row.test_counts
    if isinstance(counts, NotMeasured) or isinstance(counts.expected, NotMeasured):
        return False
    return counts.expected > 0 and counts.passed == counts.expected and not counts_broken(row)


def counts_broken(row: AttemptRow) -> bool:
    """Do the counts of a report deny a pass: something failed or broke, or fewer passed than were expected?"""
    counts = row.test_counts
    if isinstance(counts, NotMeasured):
        return False
    bad = any(isinstance(one, int) and one > 0 for one in (counts.failed, counts.errors))
    known = isinstance(counts.expected, int) and isinstance(counts.passed, int)
    return bad or (known and counts.passed < counts.expected)  # type: ignore[operator]


def has_verdict(row: AttemptRow) -> bool:
    """Did a verdict come into being? Then no failure text can turn the row into somebody else's."""
    return grade_of(row) in VERDICTS


def paused_longer_than_worked(row: AttemptRow) -> bool:
    """Did the provider's pauses take more of the wall clock than the agent did?"""
    if isinstance(row.paused_ms, NotMeasured) or isinstance(row.working_ms, NotMeasured):
        return False
    return row.paused_ms > row.working_ms


def on_the_wall_clock(row: AttemptRow) -> bool:
    """Did a limit on wall time end it, as the harness recorded or a foreign row claims?"""
    killed = text(row.killed_by)
    claimed = text(row.stop_reason) == "timeout" and killed in ("", KilledBy.NOBODY) and not is_own(row)
    return killed == KilledBy.BUDGET_WALL or claimed


def spent_budget(row: AttemptRow) -> bool:
    """Did the agent end because its own declared budget was spent?"""
    killed = text(row.killed_by)
    if on_the_wall_clock(row) and paused_longer_than_worked(row):
        return False
    if killed in OWN_BUDGETS:
        return True
    claimed = text(row.stop_reason) in ("timeout", "budget")
    return claimed and killed in ("", KilledBy.NOBODY) and not is_own(row)


def timed_out(row: AttemptRow) -> bool:
    """Was its own budget spent, whether or not something was graded after it?"""
    return spent_budget(row) or row.after_cap is True


def failed_before_grading(row: AttemptRow) -> bool:
    """Is the earliest unrecovered failure from before the verifier's phase?"""
    return row.first_unrecovered is not None and row.first_unrecovered.phase in BEFORE_GRADING


def failure_cause(row: AttemptRow) -> str:
    """The cause of the earliest unrecovered failure, or nothing."""
    return row.first_unrecovered.cause if row.first_unrecovered is not None else ""


def empty_patch(row: AttemptRow) -> bool:
    """Is it known that the agent changed nothing?"""
    patch = row.patch
    if isinstance(patch, NotMeasured) or patch.touched or patch.refused or patch.outside:
        return False
    return patch.bytes == 0 or bool(patch.base_tree and patch.base_tree == patch.final_tree)


def changed(row: AttemptRow) -> bool:
    """Is it known that the agent changed something?"""
    return not not_measured(row.patch) and not empty_patch(row)


def clean_end(row: AttemptRow) -> bool:
    """Did the agent end by itself, without a signal and without an error exit, as far as is known?"""
    return (
        text(row.killed_by) in ("", KilledBy.NOBODY)
        and (isinstance(row.agent_signal, NotMeasured) or row.agent_signal == 0)
        and (isinstance(row.agent_exit, NotMeasured) or row.agent_exit == 0)
    )


def stopped_by_others(row: AttemptRow) -> bool:
    """Does the row itself say that the run's cap, the provider, the infrastructure or the harness stopped it?"""
    return row.run_cap_cut or text(row.stop_reason) in OTHERS_STOPS


def apply_failed(row: AttemptRow) -> bool:
    """Is it known that a patch could not be applied to the tree that was to be graded?"""
    return isinstance(row.apply_exit, int) and row.apply_exit != 0


def used_channel(row: AttemptRow) -> bool:
    """Was the ask or abstain channel used?"""
    return row.asked is True or row.abstained is True


def ended_unseen(row: AttemptRow) -> bool:
    """Did something fail without recovery before there was a verdict?"""
    return row.first_unrecovered is not None and not has_verdict(row)


def slipped(row: AttemptRow) -> tuple[str, ...]:
    """Paths outside the allow-list or on the forbidden list that the agent touched, or nothing."""
    if isinstance(row.patch, NotMeasured):
        return ()
    return tuple(sorted({*row.patch.outside, *row.patch.forbidden}))


def stopped_outside(row: AttemptRow) -> bool:
    """Does a row without a record of its paths say that a forbidden one ended it?"""
    return text(row.stop_reason) == StopReason.FORBIDDEN_PATH and not slipped(row)


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
    odd = tests.missing or tests.other or tests.failed or tests.skipped
    return bool(odd) or set(tests.expected) != set(tests.passed)


def canary_searched(row: AttemptRow) -> bool:
    """Was the patch searched for the canary token? Ours always is; a foreign one only where its text is at hand."""
    if is_own(row):
        return not isinstance(row.patch, NotMeasured)
    return row.canary_searched is True


def guessed(row: AttemptRow) -> bool:
    """Was a required file absent and did the agent go on without asking or abstaining?"""
    return bool(row.required_missing) and not used_channel(row)


def loops_judged(row: AttemptRow) -> bool:
    """Are all tool calls and the digests of all their results at hand?"""
    return not isinstance(row.tools, NotMeasured) and row.tools.complete


def looped(row: AttemptRow, terms: Terms) -> bool:
    """Did the same calls bring the same results as often as the terms call a loop? What is missing elsewhere undoes none."""
    if isinstance(row.tools, NotMeasured):
        return False
    return any(one.times >= terms.tool_loop_n for one in row.tools.repeats)


def surfaces_judged(row: AttemptRow) -> bool:
    """Was every surface that the attempt uses held against what is defined?"""
    return not isinstance(row.surfaces, NotMeasured) and not row.surfaces.unchecked


def invented(row: AttemptRow) -> tuple[str, ...]:
    """Surfaces that the attempt uses and nobody defines, or nothing."""
    return () if isinstance(row.surfaces, NotMeasured) else row.surfaces.invented


def use_is_known(row: AttemptRow) -> bool:
    """Is there a tool log, or were the surfaces looked at? Without both nobody knows what a pass stands on."""
    return not isinstance(row.tools, NotMeasured) or not isinstance(row.surfaces, NotMeasured)


def baseline_is_healthy(row: AttemptRow) -> bool:
    """Do the tests run with the agent off? In a run of ours a baseline has shown it."""
    return is_own(row) or row.baseline_collects is True or text(row.gold_now) == Grade.GREEN


def blames_patch(row: AttemptRow) -> bool:
    """Does the runner's ending point at a file of the patch, on tests that are known to collect or not known not to?"""
    return row.runner_blames_patch is True and row.baseline_collects is not False
