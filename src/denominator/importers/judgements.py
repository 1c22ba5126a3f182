"""What the source *thinks* of a row. Judgements become labels of low confidence, never facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from denominator.importers.columns import Cells
from denominator.importers.raw import json_text
from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence, Label
from denominator.records.words import Axis, FailureClass, Mix, Outcome, Reason, StopReason

BY = "import:rows"
OUTCOMES = frozenset(word.value for word in Outcome)
REASONS = frozenset(word.value for word in Reason)
STOPPED = {
    StopReason.PASS: (Outcome.PASS, ""),
    StopReason.TESTS_RED: (Outcome.FAIL, ""),
    StopReason.FORBIDDEN_PATH: (Outcome.FAIL, ""),
    StopReason.TIMEOUT: (Outcome.FAIL, ""),
    StopReason.BUDGET: (Outcome.FAIL, ""),
    StopReason.NO_PATCH: (Outcome.ABSTAIN, ""),
    StopReason.APPLY_ERROR: (Outcome.UNSCOREABLE, Reason.APPLY_ERROR),
    StopReason.TRANSPORT: (Outcome.UNSCOREABLE, Reason.PROVIDER_ERROR),
    StopReason.INFRA: (Outcome.UNSCOREABLE, Reason.ENV_FLAKE),
    StopReason.HARNESS: (Outcome.UNSCOREABLE, Reason.NO_VERDICT),
}
CLASSES = {
    FailureClass.PASS: Outcome.PASS,
    FailureClass.COMPILE_FAIL: Outcome.FAIL,
    FailureClass.TEST_FAIL: Outcome.FAIL,
    FailureClass.TIMEOUT: Outcome.FAIL,
    FailureClass.OVER_EDIT: Outcome.FAIL,
    FailureClass.NO_PATCH: Outcome.ABSTAIN,
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One row's judgement by its source; `problem` says why there is none where there should be one."""

    outcome: str = ""
    reason: str = ""
    failure_class: str = ""
    column: str = ""
    problem: str = ""
    kind: str = ""


NONE = Judgement()


def from_outcome(cells: Cells) -> Judgement:
    """Column `outcome`: one of four words, or null when the source leaves the judgement open."""
    if "outcome" not in cells.known:
        return NONE
    word = cells.text("outcome")
    if word not in OUTCOMES:
        return _unknown("outcome", word)
    reason = cells.text("reason")
    if word == Outcome.UNSCOREABLE and not reason:
        return Judgement(problem="outcome: unscoreable without a reason", kind="missing_reason")
    return Judgement(word, reason, "", "outcome")


def from_flag(column: str) -> Callable[[Cells], Judgement]:
    """A boolean column that means pass or fail."""

    def judge(cells: Cells) -> Judgement:
        flag = cells.flag(column)
        if flag is None:
            return NONE
        return Judgement(Outcome.PASS if flag else Outcome.FAIL, "", "", column)

    return judge


def from_word(column: str) -> Callable[[Cells], Judgement]:
    """A word column that knows the four outcomes and `timeout`."""

    def judge(cells: Cells) -> Judgement:
        word = cells.text(column)
        if word == "timeout":
            return Judgement(Outcome.FAIL, "", FailureClass.TIMEOUT, column)
        if column in cells.known and word not in OUTCOMES:
            return _unknown(column, word)
        if word == Outcome.UNSCOREABLE and not cells.text("reason"):
            return Judgement(problem=f"{column}: unscoreable without a reason", kind="missing_reason")
        return Judgement(word, cells.text("reason"), "", column) if word else NONE

    return judge


def from_accepted(cells: Cells) -> Judgement:
    """Column `accepted`, unless the checker itself failed."""
    if cells.known.get("checker_error") not in (None, False, ""):
        return Judgement(Outcome.UNSCOREABLE, Reason.GRADER_ERROR, "", "checker_error")
    return from_flag("accepted")(cells)


def from_class(cells: Cells) -> Judgement:
    """Column `outcome` of a failure-class log; `unresolved` is an unknown outcome."""
    if "outcome" not in cells.known:
        return NONE
    word = cells.text("outcome")
    if word not in CLASSES:
        return from_outcome(cells) if word in OUTCOMES else _unknown("outcome", word)
    return Judgement(CLASSES[FailureClass(word)], "", word, "outcome")


def from_stop(cells: Cells) -> Judgement:
    """Column `stop_reason`, a closed list."""
    if "stop_reason" not in cells.known:
        return NONE
    word = cells.text("stop_reason")
    if word not in {known.value for known in StopReason}:
        return _unknown("stop_reason", word)
    outcome, reason = STOPPED[StopReason(word)]
    return Judgement(outcome, reason, "", "stop_reason")


def no_judgement(_cells: Cells) -> Judgement:
    """A shape whose rows hold facts only."""
    return NONE


def _unknown(column: str, word: str) -> Judgement:
    return Judgement(problem=f"{column}: unknown outcome {word[:40]!r}", kind="unknown_outcome")


def labels(key: AttemptKey, cells: Cells, found: Judgement) -> tuple[Label, ...]:
    """The judgement as labels that quote the row."""
    said = [
        (Axis.OUTCOME, found.outcome, found.column),
        (Axis.REASON, found.reason, "reason"),
        (Axis.FAILURE_CLASS, found.failure_class, found.column),
        (Axis.MIX, cells.text("bucket"), "bucket"),
        (Axis.TAG, Mix.ASSUME_API if cells.flag("assumed_api") else "", "assumed_api"),
    ]
    return tuple(_label(key, cells, axis, str(value), column) for axis, value, column in said if value)


def _label(key: AttemptKey, cells: Cells, axis: str, value: str, column: str) -> Label:
    quote = f"{column}={json_text(cells.known.get(column, value))}"
    evidence = Evidence(kind="import", ref=cells.raw.where, quote=quote)
    return Label(
        key=key, axis=axis, value=value, by=BY, confidence="low", evidence=(evidence,), why="the source says so"
    )
