"""How a row of promptfoo's can end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from denominator.importers.foreign import failure
from denominator.importers.formats.promptfoo.cases import has_assertions
from denominator.readers.provider import ProviderError, cause_of
from denominator.records.foreign import Ending
from denominator.records.words import Grade, Phase, RunnerEnding, Writer

NONE, ASSERT, ERROR = 0, 1, 2
PASSED = Ending(
    word="failureReason=0, success=true", outcome="pass", origin="MODEL", facts={"grade": Grade.GREEN},
    why="every assertion held",
)  # fmt: skip
FAILED = Ending(
    word="failureReason=1", outcome="fail", origin="MODEL", facts={"grade": Grade.RED}, why="an assertion did not hold"
)  # fmt: skip
NOT_TESTED = Ending(
    word="failureReason=0, no assertions", outcome="unscoreable", origin="HARNESS", reason="grader_error",
    facts={"runner_ending": RunnerEnding.NOTHING_RAN}, why="nothing was asserted, so that any answer passes",
)  # fmt: skip
BROKE = Ending(
    word="failureReason=2, no status of an error", outcome="unscoreable", origin="HARNESS", reason="no_verdict",
    facts={"first_unrecovered": failure("harness_error", Writer.HARNESS, Phase.HARNESS)},
    why="something broke, and only a message says what",
)  # fmt: skip


def _provider(cause: str, word: str, origin: str, reason: str, why: str) -> Ending:
    facts = {"first_unrecovered": failure(cause, Writer.PROVIDER, Phase.AGENT)}
    return Ending(
        word=f"failureReason=2, status {word}",
        outcome="unscoreable",
        origin=origin,
        reason=reason,
        facts=facts,
        why=why,
    )


BY_CAUSE = {
    "provider_rate_limit": _provider(
        "provider_rate_limit", "429", "INFRA", "provider_rate_limit", "the provider throttled, and it gave up"
    ),
    "quota_exhausted": _provider(
        "quota_exhausted", "402", "INFRA", "quota_exhausted", "the account behind the key was spent"
    ),
    "provider_refused": _provider(
        "provider_refused", "3xx or another 4xx", "HARNESS", "provider_error",
        "the provider refused the request: key, address or parameters",
    ),
    "provider_error": _provider(
        "provider_error", "408, 409, 425 or 5xx", "INFRA", "provider_error", "the provider did not answer, and it gave up"
    ),
}  # fmt: skip
ENDINGS = (PASSED, FAILED, NOT_TESTED, BROKE, *BY_CAUSE.values())


def ending_of(row: Mapping[str, Any]) -> Ending | None:
    """The line of the table; None where success and reason contradict each other, or one of them is unknown."""
    success, why = row.get("success"), row.get("failureReason")
    if why is None:
        why = _older(row)
    if not isinstance(success, bool) or isinstance(why, bool) or success is not (why == NONE):
        return None
    if why == NONE:
        return PASSED if has_assertions(row) else NOT_TESTED
    if why == ASSERT:
        return FAILED
    return _error(row) if why == ERROR else None


def _error(row: Mapping[str, Any]) -> Ending:
    """What a status says of the provider; an answer that was given, or none, leaves the harness."""
    status = status_of(row)
    return BY_CAUSE[str(cause_of(ProviderError(status=status)))] if 300 <= status <= 599 else BROKE


def _older(row: Mapping[str, Any]) -> int:
    """Before there was a reason: a grade that is false, without an error of the response, is a failed assertion."""
    response, graded = row.get("response"), row.get("gradingResult")
    if row.get("success") is True:
        return NONE
    broken = isinstance(response, dict) and response.get("error")
    return ASSERT if isinstance(graded, dict) and graded.get("pass") is False and not broken else ERROR


def status_of(row: Mapping[str, Any]) -> int:
    """The status that the provider was answered with, as its response keeps it; 0 where it keeps none."""
    found: Any = row.get("response")
    for key in ("metadata", "http", "status"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else 0
