"""Every way in which a sample of Inspect ends, and which one a sample has."""

from __future__ import annotations

import re

from denominator.importers.crashes import CONTEXT_LATER, CRASHES, crash_of
from denominator.importers.exception_names import last_exception
from denominator.importers.foreign import failure
from denominator.importers.formats.inspect import scores as said
from denominator.records.foreign import Ending
from denominator.records.words import Grade, KilledBy, Phase, StopReason, Writer

Facts = dict[str, object]
GREEN: Facts = {"grade": Grade.GREEN}
RED: Facts = {"grade": Grade.RED}
GRADER: Facts = {"first_unrecovered": failure("grader_error", Writer.VERIFIER, Phase.VERIFY)}
STOPPED: Facts = {"killed_by": KilledBy.HARNESS_STOP}
LOST: Facts = {"first_unrecovered": failure("missing_artifact", Writer.HARNESS, Phase.HARNESS)}
REFUSALS = ("refusal", "no_response")

CORRECT = Ending(
    word='score "C", true, 1, "yes"', outcome="pass", origin="MODEL", facts=GREEN, why="the scorer says correct"
)
INCORRECT = Ending(
    word='score "I", false, 0, "no"', outcome="fail", origin="MODEL", facts=RED, why="the scorer says incorrect"
)
NO_ANSWER = Ending(
    word='score "N"', outcome="abstain", origin="MODEL", judged=True,
    why="the scorer says that nothing was answered; Inspect counts it as 0",
)  # fmt: skip
PARTIAL = Ending(
    word='score "P", another number or text', outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="partial credit, and the log draws no line from which on a sample has passed",
)  # fmt: skip
SEVERAL = Ending(
    word="several scores that disagree", outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="no headline says which of them counts",
)  # fmt: skip
UNSCORED = Ending(
    word="score NaN", outcome="unscoreable", origin="HARNESS", reason="grader_error", facts=GRADER,
    why="the scorer or its grader came to no value; Inspect leaves such samples out of its means",
)  # fmt: skip
REFUSED = Ending(
    word="score NaN, reason refusal or no_response", outcome="abstain", origin="MODEL", judged=True,
    why="the scorer blames the model's silence; Inspect leaves such samples out of its means",
)  # fmt: skip
MALFORMED = Ending(
    word="score NaN, reason invalid_response_format", outcome="fail", origin="MODEL", judged=True,
    why="the scorer blames the form of the answer; Inspect leaves such samples out of its means",
)  # fmt: skip
NO_SCORE = Ending(
    word="no score", outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="the sample has ended and no scorer has judged it",
)  # fmt: skip
EDITED_UP = Ending(
    word="score edited to correct", outcome="pass", origin="MODEL", judged=True,
    why="a person changed the scorer's verdict after the run",
)  # fmt: skip
EDITED_DOWN = Ending(
    word="score edited to incorrect", outcome="fail", origin="MODEL", judged=True,
    why="a person changed the scorer's verdict after the run",
)  # fmt: skip
INVALIDATED = Ending(
    word="invalidation", outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="a person took the sample out after the run; it stays in the denominator",
)  # fmt: skip

LIMITS: dict[str, tuple[StopReason, KilledBy | None, str]] = {
    "time": (StopReason.TIMEOUT, KilledBy.BUDGET_WALL, "its time"),
    "working": (StopReason.TIMEOUT, KilledBy.BUDGET_WORKING, "its working time"),
    "token": (StopReason.BUDGET, KilledBy.BUDGET_TOKENS, "its tokens"),
    "context": (StopReason.BUDGET, KilledBy.BUDGET_TOKENS, "the context window of the model"),
    "turn": (StopReason.BUDGET, KilledBy.BUDGET_CALLS, "its turns"),
    "message": (StopReason.BUDGET, None, "its messages"),
    "cost": (StopReason.BUDGET, None, "its money"),
    "custom": (StopReason.BUDGET, None, "a limit of the task's own"),
}


def _limit(kind: str, which: str) -> Ending:
    stop, killed, what = LIMITS[kind]
    facts: Facts = {"stop_reason": stop, **({"killed_by": killed} if killed else {})}
    if which == "correct":
        why = f"{what} was spent, and what it left was graded: Inspect scores after a limit"
        return Ending(
            word=f"limit {kind}, scored correct", outcome="pass", origin="MODEL", facts=facts | GREEN, why=why
        )
    why = f"{what} was spent"
    facts |= RED if which == "incorrect" else {}
    return Ending(
        word=f"limit {kind}, {'scored ' * bool(which)}{which or 'no score'}",
        outcome="fail",
        origin="MODEL",
        facts=facts,
        why=why,
    )


AFTER_LIMIT = {(kind, which): _limit(kind, which) for kind in LIMITS for which in ("correct", "incorrect", "")}
OPERATOR_CORRECT = Ending(
    word="limit operator, scored correct", outcome="pass", origin="MODEL", facts=GREEN | STOPPED,
    why="a person stopped it, and what it had done by then was correct",
)  # fmt: skip
OPERATOR = Ending(
    word="limit operator, any other score", outcome="unscoreable", origin="HARNESS", reason="harness_killed", facts=STOPPED,
    why="a person stopped it before it was done",
)  # fmt: skip
OPERATOR_ERROR = Ending(
    word="error: interrupted by operator", outcome="unscoreable", origin="HARNESS", reason="harness_killed", facts=STOPPED,
    why="a person ended it as an error",
)  # fmt: skip
CANCELLED = Ending(
    word="error CancelledError, Cancelled", outcome="unscoreable", origin="HARNESS", reason="harness_killed", facts=STOPPED,
    why="the run was cancelled, or another sample's error ended it, while this one was at work",
)  # fmt: skip
RECOVERED = Ending(
    word='error CancelledError in a log "recovered from crash"', outcome="unscoreable", origin="HARNESS",
    reason="harness_killed", facts=STOPPED, why="the harness died while this sample was at work",
)  # fmt: skip
ERROR_CORRECT = Ending(
    word="error, scored correct (score_on_error)", outcome="pass", origin="MODEL",
    facts=GREEN | {"first_unrecovered": failure("harness_error", Writer.HARNESS, Phase.AGENT)},
    why="it broke off, and what it left was correct all the same",
)  # fmt: skip
BROKEN = Ending(
    word="a sample that cannot be read", outcome="unscoreable", origin="HARNESS", reason="missing_artifact", facts=LOST,
    why="the log lists the sample, and what it holds of it is damaged",
)  # fmt: skip

ENDINGS: tuple[Ending, ...] = (
    CORRECT, INCORRECT, NO_ANSWER, PARTIAL, SEVERAL, UNSCORED, REFUSED, MALFORMED, NO_SCORE, EDITED_UP, EDITED_DOWN,
    INVALIDATED, *AFTER_LIMIT.values(), OPERATOR_CORRECT, OPERATOR, OPERATOR_ERROR, CANCELLED, RECOVERED,
    ERROR_CORRECT, BROKEN, *CRASHES,
)  # fmt: skip
BY_VERDICT = {
    said.CORRECT: CORRECT, said.INCORRECT: INCORRECT, said.NO_ANSWER: NO_ANSWER, said.PARTIAL: PARTIAL,
    said.SEVERAL: SEVERAL, said.UNSCORED: UNSCORED, said.NONE: NO_SCORE,
}  # fmt: skip

INTERRUPTED = "RuntimeError('Sample errored: interrupted by operator')"
CLASS = re.compile(r"([A-Za-z_]\w{0,120}(?:\.[A-Za-z_]\w{0,120}){0,12})\(")


def of_error(message: str, traceback: str, recovered: bool = False, calls: int | None = None) -> Ending:
    """The ending that an error is: its class decides, and only where the harness itself wrote it."""
    if message.startswith(INTERRUPTED[:-2]):
        return OPERATOR_ERROR
    found = CLASS.match(message)
    if found and found[1].rpartition(".")[2] in ("CancelledError", "Cancelled"):
        return RECOVERED if recovered else CANCELLED
    return crash_of(last_exception(traceback) or (found[1] if found else ""), calls)


def of_sample(limit: str, score: said.Verdict) -> Ending | None:
    """The ending of a sample that no error ended, or None where its limit has a name that nobody knows."""
    if limit == "operator":
        return OPERATOR_CORRECT if score.word == said.CORRECT else OPERATOR
    if limit and limit not in LIMITS:
        return None
    if score.edited and score.word in (said.CORRECT, said.INCORRECT):
        return EDITED_UP if score.word == said.CORRECT else EDITED_DOWN
    if limit and score.word in (said.CORRECT, said.INCORRECT, said.NO_ANSWER, said.NONE):
        which = {said.CORRECT: "correct", said.NONE: ""}.get(score.word, "incorrect")
        return AFTER_LIMIT[limit, which]
    if score.word == said.UNSCORED:
        return (
            REFUSED
            if score.reason in REFUSALS
            else MALFORMED
            if score.reason == "invalid_response_format"
            else UNSCORED
        )
    return BY_VERDICT[score.word]


def of_broken_sample(error: Ending, score: said.Verdict) -> Ending:
    """A sample that an error ended and that was scored all the same: only a correct score outranks the error.

    A red score of work that a dead provider cut off says nothing of the model.
    """
    if error in (OPERATOR_ERROR, CANCELLED, RECOVERED) or error is CONTEXT_LATER or score.word != said.CORRECT:
        return error
    return ERROR_CORRECT
