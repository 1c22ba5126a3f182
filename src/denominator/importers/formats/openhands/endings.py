"""How attempts of OpenHands benchmarks end."""

from __future__ import annotations

import re

from denominator.importers.crashes import CRASHES, class_in, crash_of
from denominator.importers.foreign import failure
from denominator.importers.swebench import endings as graded
from denominator.records.foreign import Ending
from denominator.records.words import Grade, Phase, StopReason, Writer

PATCH = Ending(
    word="no error, a patch, and no verdict on it", outcome="unscoreable", origin="HARNESS",
    why="an attempt that was not handed in, or not graded: grade it first",
)  # fmt: skip
EMPTY = Ending(
    word="no error, and an empty patch; empty_generation", outcome="abstain", origin="MODEL",
    facts={"patch": graded.NO_PATCH},
    why="the agent ended by itself and had changed nothing",
)  # fmt: skip
NOTHING = Ending(
    word="no error, and neither a patch nor a verdict", outcome="unscoreable", origin="HARNESS", reason="missing_artifact",
    facts={"first_unrecovered": failure("missing_artifact", Writer.HARNESS, Phase.AGENT)},
    why="the result of the attempt is not in its row",
)  # fmt: skip
ITERATIONS = Ending(
    word="error: MaxIterationsReached", outcome="fail", origin="MODEL", facts={"stop_reason": StopReason.BUDGET},
    why="its declared limit on iterations was reached; such a row is dropped from the output",
)  # fmt: skip
TIMED_OUT = Ending(
    word="error: did not complete within N s; Timed out", outcome="unscoreable", origin="HARNESS", reason="harness_timeout",
    facts={"first_unrecovered": failure("harness_timeout", Writer.HARNESS, Phase.AGENT)},
    why="the harness's limit on the instance ended it, and waiting for a box is part of that time",
)  # fmt: skip
ERROR = Ending(
    word="error: anything else", outcome="unscoreable", origin="HARNESS", reason="no_verdict",
    facts={"first_unrecovered": failure("harness_error", Writer.HARNESS, Phase.AGENT)},
    why="the attempt broke, and its message names no cause",
)  # fmt: skip
BAD_PATCH = Ending(
    word="failed_apply_patch", outcome="unscoreable", origin="HARNESS", reason="apply_error",
    facts={"apply_exit": 1, "patch_made_by": "harness"},
    why="a difference that the harness took from its own box did not apply",
)  # fmt: skip
BAD_EVALUATION = Ending(
    word="error_eval", outcome="unscoreable", origin="HARNESS", reason="grader_error",
    facts={"first_unrecovered": failure("grader_error", Writer.VERIFIER, Phase.VERIFY)}, why="the evaluation broke",
)  # fmt: skip
SCORED = Ending(
    word="test_result: resolved true, score 1, or report.resolved true", outcome="pass", origin="MODEL", judged=True,
    why="the row says that it was solved; no test of it is named",
)  # fmt: skip
NOT_SCORED = Ending(
    word="test_result: resolved false, score 0, or report.resolved false", outcome="fail", origin="MODEL", judged=True,
    why="the row says that it was not solved; no test of it is named",
)  # fmt: skip
ALL_TESTS = Ending(
    word="eval_result: every test passed", outcome="pass", origin="MODEL", facts={"grade": Grade.GREEN},
    why="the counts of its tests say so",
)  # fmt: skip
SOME_TESTS = Ending(
    word="eval_result: not every test passed", outcome="fail", origin="MODEL", facts={"grade": Grade.RED},
    why="the counts of its tests say so",
)  # fmt: skip
UNKNOWN = Ending(
    word="index: resolved null", outcome="unscoreable", origin="HARNESS",
    why="the index does not know how it ended",
)  # fmt: skip
OF_REPORTS = (
    graded.SAID_RESOLVED,
    graded.SAID_UNRESOLVED,
    graded.ERROR,
    *graded.OF_REASONS,
    graded.TIMED_OUT,
)
ENDINGS: tuple[Ending, ...] = (
    PATCH, EMPTY, NOTHING, ITERATIONS, TIMED_OUT, ERROR, BAD_PATCH, BAD_EVALUATION, SCORED, NOT_SCORED, ALL_TESTS,
    SOME_TESTS, UNKNOWN, *OF_REPORTS, *CRASHES,
)  # fmt: skip
_ITERATIONS = re.compile(r"\bMaxIterationsReached\b|\bAgent reached maximum iteration")
_TIMEOUT = re.compile(r"\ATimed out\b|\bdid not complete within [0-9.]+ ?s\b|\btimed out after [0-9.]+ ?s")
MESSAGE = 2000


def of_error(message: str) -> Ending:
    """The ending of a row with an error: a message that the harness wrote, of at most 200 characters."""
    text = message[:MESSAGE]
    if _ITERATIONS.search(text):
        return ITERATIONS
    if _TIMEOUT.search(text):
        return TIMED_OUT
    name = class_in(text)
    found = crash_of(name) if name else ERROR
    return ERROR if found is CRASHES[-1] else found
