"""How the runner of one of our own gradings ended, for its `graded` event: read from the grader's checked report."""

from __future__ import annotations

from denominator.ports import Graded
from denominator.readers.runners import RunnerInput, RunnerReading, read_ending
from denominator.records.events import Json
from denominator.records.packs import Task
from denominator.records.trees import Patch
from denominator.records.values import NotMeasured
from denominator.records.words import Grade, RunnerEnding
from denominator.wire.codec import to_json
from denominator.wire.trees import touched

STATUS_OF_A_SIGNAL = 127
"""Our kit leaves with this status when a signal ended the command, so here it does not say that there is no command."""


def runner_facts(task: Task, patch: Patch, graded: Graded) -> dict[str, Json]:
    """runner, runner_ending, runner_why, test_counts, runner_blames_patch; only the runner where none was started.

    The grade is the grader's and stays so. A report that it found forged says nothing about how the runner ended.
    """
    if graded.ended.start_error:
        return {"runner": task.verify.runner}
    found = _reading(task, patch, graded)
    ending, why = found.ending, found.why
    if graded.grade == Grade.TAMPERED:
        ending, why = RunnerEnding.DISAGREES, graded.why
    elif ending == RunnerEnding.COMMAND_MISSING and graded.ended.exit_code == STATUS_OF_A_SIGNAL:
        ending, why = RunnerEnding.UNKNOWN, "exit status 127: the command was not found, or a signal ended it"
    facts: dict[str, Json] = {
        "runner": task.verify.runner,
        "runner_ending": str(ending),
        "runner_why": why,
        "test_counts": to_json(found.counts),
    }
    if not isinstance(found.blames_patch, NotMeasured):
        facts["runner_blames_patch"] = found.blames_patch
    return facts


def _reading(task: Task, patch: Patch, graded: Graded) -> RunnerReading:
    """A command that promised no report left only its status."""
    reported = task.verify.runner != "command" or bool(task.verify.report)
    return read_ending(
        RunnerInput(
            runner=task.verify.runner,
            exit=graded.ended.exit_code,
            signal=graded.ended.signal,
            reports=(graded.report,) if reported else (),
            format="kit",
            expected=task.verify.expected_tests,
            must_fail=task.verify.counter_tests,
            touched=tuple(touched(patch)),
            removed=tuple(
                one.path for one in patch.changes if one.op == "delete" or (one.size == 0 and one.op == "modify")
            ),
        )
    )
