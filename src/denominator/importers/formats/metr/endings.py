"""How a run of METR's can end: who ended it, and whether its score was cut to 1, to 0, or is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from denominator.importers.foreign import failure
from denominator.records.foreign import Ending
from denominator.records.words import Phase, StopReason, Writer

NOBODY, LIMITS, AGENT, USER = "", "usageLimits", "agent", "user"
HARNESS = ("server", "task", "serverOrTask")
BROKE = {"first_unrecovered": failure("harness_error", Writer.HARNESS, Phase.AGENT)}
STOPPED = {"first_unrecovered": failure("harness_killed", Writer.HARNESS, Phase.AGENT)}
SPENT = {"stop_reason": StopReason.BUDGET}
BY_WHOM: dict[str, tuple[Mapping[str, Any], str]] = {
    NOBODY: ({}, "nothing ended it before its time"),
    LIMITS: (SPENT, "its own usage limits ended it"),
    AGENT: ({}, "the agent's own program broke"),
    USER: (STOPPED, "a person stopped it"),
    **dict.fromkeys(HARNESS, (BROKE, "the server or the task broke")),
}
"""Sources of a fatal error: the facts that they are, and a sentence."""


def _passed(source: str) -> Ending:
    facts, who = BY_WHOM[source]
    why = f"{who}; the source scored it, and the score is at its threshold or above"
    return Ending(word=_word(1, source), outcome="pass", origin="MODEL", judged=True, facts=facts, why=why)


def _missed(source: str) -> Ending:
    facts, who = BY_WHOM[source]
    word = _word(0, source)
    if facts in (BROKE, STOPPED):
        return _lost(word, facts, f"{who}, and what it left did not pass")
    why = f"{who}; the score is below its threshold"
    return Ending(word=word, outcome="fail", origin="MODEL", judged=not facts, facts=facts, why=why)


def _unscored(source: str) -> Ending:
    facts, who = BY_WHOM[source]
    word = _word(None, source)
    if facts in (BROKE, STOPPED):
        return _lost(word, facts, f"{who}, and nothing was scored")
    if facts is SPENT:
        return Ending(word=word, outcome="fail", origin="MODEL", facts=facts, why=f"{who}, and nothing was scored")
    return Ending(
        word=word, outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
        why=f"{who}, and nothing was scored",
    )  # fmt: skip


def _lost(word: str, facts: Mapping[str, Any], why: str) -> Ending:
    reason = "harness_killed" if facts is STOPPED else "no_verdict"
    return Ending(word=word, outcome="unscoreable", origin="HARNESS", reason=reason, facts=facts, why=why)


def _word(score: int | None, source: str) -> str:
    said = "null" if score is None else str(score)
    return f"score_binarized={said}, fatal_error_from={source or 'null'}"


TABLE: dict[tuple[int | None, str], Ending] = {
    (score, source): make(source)
    for score, make in ((1, _passed), (0, _missed), (None, _unscored))
    for source in BY_WHOM
}
ENDINGS = tuple(TABLE.values())


def ending_of(row: Mapping[str, Any]) -> Ending | None:
    """The line of the table for a run, or None where a word or a score is on no line."""
    score, source = row.get("score_binarized"), row.get("fatal_error_from")
    if isinstance(score, bool) or not (score is None or score in (0, 1)):
        return None
    if source is not None and not isinstance(source, str):
        return None
    return TABLE.get((score if score is None else int(score), source or NOBODY))
