"""How the grading of a sample of LiveCodeBench can end."""

from __future__ import annotations

from typing import Any

from denominator.importers.foreign import failure
from denominator.records.foreign import Ending
from denominator.records.words import Grade, Phase, RunnerEnding, Writer

RED: dict[str, Any] = {"grade": Grade.RED}
PASSED = Ending(
    word="true", outcome="pass", origin="MODEL", judged=True, why="the source says that every test passed"
)  # fmt: skip
NO_CODE = Ending(
    word="false, no error_code", outcome="fail", origin="MODEL", judged=True,
    why="the source says that it did not pass; whether a test failed or the check never came back is not recorded",
)  # fmt: skip
BY_CODE = {
    -1: Ending(
        word="false, error_code=-1", outcome="fail", origin="MODEL", why="the sample itself does not compile",
        facts={"runner_ending": RunnerEnding.BUILD_FAILED, "runner_blames_patch": True},
    ),
    -2: Ending(word="false, error_code=-2", outcome="fail", origin="MODEL", facts=RED, why="a test got a wrong answer"),
    -3: Ending(
        word="false, error_code=-3", outcome="fail", origin="MODEL", why="a test ran into its time limit",
        facts={"runner_ending": RunnerEnding.TEST_TIMEOUT},
    ),
    -4: Ending(word="false, error_code=-4", outcome="fail", origin="MODEL", facts=RED, why="the sample broke in a test"),
    -5: Ending(
        word="false, error_code=-5", outcome="unscoreable", origin="HARNESS", reason="grader_error",
        facts={"first_unrecovered": failure("grader_error", Writer.VERIFIER, Phase.VERIFY)},
        why="the grader itself broke (TestRunnerError); the source counts it as a wrong answer",
    ),
}  # fmt: skip
ENDINGS = (PASSED, NO_CODE, *BY_CODE.values())


def ending_of(graded: object, code: object) -> Ending | None:
    """The line of the table; None for what is on none, and for a pass with a code of a failure."""
    if graded is True:
        return PASSED if code is None else None
    if graded is not False or isinstance(code, bool):
        return None
    if code is None:
        return NO_CODE
    return BY_CODE.get(code) if isinstance(code, int) else None
