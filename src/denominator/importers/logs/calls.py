"""The provider calls that a harness wrote down: which were repeated, how long that took, and which one was given up for good."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from denominator.readers.logs import LogEvent
from denominator.readers.provider import CONTENT, CONTEXT, ProviderError, cause_of
from denominator.records.rows import Failure
from denominator.records.words import Phase, Reason, Writer

NAMES = {
    "provider_call": "",
    "model_call": "",
    "llm_call": "",
    "api_call": "",
    "provider_retry": "retry",
    "provider_pause": "pause",
    "provider_error": "",
    "provider_gave_up": "gave_up",
}
"""Names of events about a model provider, with the outcome that the name itself says."""
AGAIN = frozenset({"retry", "pause", "retried", "paused", "backoff", "wait"})
GOOD = frozenset({"ok", "success", "done"})
GIVEN_UP = frozenset({"gave_up", "giveup", "failed", "error", "abort", "aborted", "exhausted"})
WAITS = (("retry_after", 1000), ("retry_after_s", 1000), ("wait_s", 1000), ("pause_s", 1000), ("paused_s", 1000),
         ("sleep_s", 1000), ("retry_after_ms", 1), ("wait_ms", 1))  # fmt: skip
WORDS = ("error", "error_type", "error_code", "code", "type", "class", "stream_error", "reason")
MOST_MS = 10**12


@dataclass(frozen=True, slots=True)
class Timed:
    """A failure and when the log saw it; None where nobody says."""

    failure: Failure
    at_ms: int | None = None


@dataclass(slots=True)
class Calls:
    """What the calls of one attempt came to. `lost` is the earliest failure that no later call recovered from."""

    seen: int = 0
    retries: int = 0
    waited_ms: int = 0
    lost: Timed | None = None
    overflow_turn: int | None = None
    last_status: int | None = None
    recovered: bool = False
    _open: dict[object, tuple[LogEvent, str]] = field(default_factory=dict)
    _repeated: set[object] = field(default_factory=set)


def fold_calls(events: Iterable[LogEvent], end_ms: int, *, capped: bool) -> Calls:
    """Fold the events in order. `end_ms`: when the attempt ended; `capped`: its own limit ended it, not a call."""
    calls = Calls()
    for event in events:
        if event.name in NAMES:
            _one(calls, event)
    for event, outcome in sorted(calls._open.values(), key=lambda one: one[0].seq):
        calls.waited_ms += _wait(event, end_ms) if outcome in AGAIN else 0
        if not (capped and outcome in AGAIN):
            _lose(calls, event, Reason.PROVIDER_PAUSE if outcome in ("pause", "paused") else "")
    return calls


def _one(calls: Calls, event: LogEvent) -> None:
    which, outcome = event.values.get("seq"), outcome_of(event)
    calls.seen += 1
    if isinstance(status := event.values.get("status"), int):
        calls.last_status = status
    waiting = calls._open.pop(which, None)
    if waiting is not None:
        calls.retries += waiting[1] not in AGAIN
        calls.waited_ms += _wait(waiting[0], event.at_ms) if waiting[1] in AGAIN else 0
    if outcome in AGAIN:
        calls.retries += 1
        calls._repeated.add(which)
        calls._open[which] = (event, outcome)
    elif outcome == "ok":
        calls.recovered = calls.recovered or calls.lost is not None
        calls.lost = None
    elif outcome == "gave_up":
        attempts = event.values.get("attempts")
        if isinstance(attempts, int) and attempts > 1 and which not in calls._repeated:
            calls.retries += attempts - 1
        _lose(calls, event, "")
    elif outcome == "failed":
        calls._open[which] = (event, outcome)


def outcome_of(event: LogEvent) -> str:
    """ok, retry, pause, gave_up, open (a stream that began), or failed: an error of which nobody says what was done."""
    word = str(event.values.get("outcome") or NAMES.get(event.name, "")).lower()
    if word in AGAIN:
        return word
    if word in GOOD:
        return "ok"
    if word in GIVEN_UP:
        return "gave_up"
    status = event.values.get("status")
    if event.values.get("stream_error") or event.values.get("error") or (isinstance(status, int) and status >= 400):
        return "failed"
    if event.values.get("stream") == "open" or not isinstance(status, int):
        return "open"
    return "ok" if 200 <= status < 400 else "failed"


def error_of(event: LogEvent) -> ProviderError:
    """The error that an event states, for the one reader of provider errors."""
    told = event.values
    status, message = told.get("status"), told.get("message")
    return ProviderError(
        status=status if isinstance(status, int) else 0,
        words=tuple(str(told[word]) for word in WORDS if isinstance(told.get(word), str)),
        message=message if isinstance(message, str) else "",
        stream_broke=bool(told.get("stream_error")) or told.get("final_event") is False,
    )


def _lose(calls: Calls, event: LogEvent, cause: str) -> None:
    found = cause or cause_of(error_of(event))
    turn = event.values.get("turn", event.values.get("seq"))
    if found == CONTEXT and isinstance(turn, int) and turn > 1:
        calls.overflow_turn = turn
    elif found != CONTENT and calls.lost is None:
        calls.lost = Timed(Failure(seq=event.seq, cause=found, writer=Writer.PROVIDER, phase=Phase.AGENT), event.at_ms)


def _wait(event: LogEvent, until_ms: int) -> int:
    """How long a call was waited for: what was announced, but never longer than until the next thing happened."""
    passed = max(0, until_ms - event.at_ms)
    announced = next((ms for key, unit in WAITS if (ms := milliseconds(event.values.get(key), unit)) is not None), None)
    return passed if announced is None else min(announced, passed)


def milliseconds(value: object, unit: int) -> int | None:
    """A duration in whole milliseconds; None when it is none."""
    text = str(value).removesuffix("s") if isinstance(value, int | str) and not isinstance(value, bool) else ""
    try:
        exact = Decimal(text) * unit
    except ArithmeticError:
        return None
    return int(exact) if exact.is_finite() and 0 <= exact <= MOST_MS else None
