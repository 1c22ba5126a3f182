"""What an error of a model provider means (SIGNATURES, LLM client), and whether it is what ended an attempt.

One meaning for what our relay recorded and for what a foreign row states: a cause word of the cause table. Only
structured fields count (status, error words, a stream without its final event); a message counts for two things alone,
because providers say them under any status: a context window that was too small, and an account that is spent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from denominator.records.cassettes import NOT_PLAYED
from denominator.records.rows import LEFT_WORDS, CallRow
from denominator.records.words import Reason
from denominator.wire.providers.errors import is_overflow, says_overflow, says_spent

CONTEXT = "context_window"
REFUSED = "provider_refused"
CONTENT = "content_refused"
OUR_OWN = "harness_error"
INJECTED = str(Reason.INJECTED_FAULT)

_SPENT = re.compile(
    r"insufficient_?quota|quota_exceeded|spend|billing|credit_balance"
    r"|insufficient_(funds|credits|balance)|payment_required"
)
_CONTENT = re.compile(r"content_?policy|content_?filter|responsibleai")
_ANY_429 = frozenset(("rate_limit_error", "ratelimiterror", "too_many_requests", "toomanyrequestserror"))
"""Names that providers give every 429: they do not say which of its two kinds it is."""
_THROTTLED = _ANY_429 | {"throttlingexception", "toomanyrequestsexception", "rate_limit_exceeded", "resource_exhausted"}
_REFUSED_WORDS = frozenset(
    (
        *(
            "authenticationerror",
            "authentication_error",
            "invalid_api_key",
            "permissiondeniederror",
            "permission_error",
        ),
        *("notfounderror", "not_found_error", "model_not_found", "badrequesterror", "invalid_request_error"),
        *("unsupportedparamserror", "unprocessableentityerror"),
    )
)
"""Names that say the same as a status, where only the class of the client's exception is known."""
_OUR_POOL = frozenset(("pooltimeout", "pool_timeout", "gateway_failed"))
"""The client waited for a connection of its own, or the gateway itself failed: ours, and no word of the provider."""
_STREAM = frozenset(("stream_cut", "response_cut", "encoding_broken"))
_EMPTY = frozenset(("response_empty", "response_not_json", "response_too_large", "encoding_unknown", "empty_response"))
_REDIRECTS = 300
"""From this status on nothing was answered; a redirect is not followed, so the endpoint is not where the model is."""
_REFUSALS = 400
KEY_ECHOED = "key_echoed"
_NEVER_THE_AGENTS = frozenset((*range(_REDIRECTS, 400), 401, 407))
"""Any other request may be wrong by its agent's doing; the key, and an address that redirects, are the harness's."""
NOT_REACHED = "connect_failed"
UNTRUSTED = "certificate_refused"
"""The other end could not be verified: the clock, the authorities or the address of this machine, which no retry heals."""
BEFORE_SENDING = frozenset((NOT_REACHED, UNTRUSTED, "gateway_failed"))
"""Words of what was not sent, and not by the agent's doing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderError:
    """One error as recorded. `status` 0: no answer. `words`: type, code and class names. `no_retry_after`: known absent."""

    status: int = 0
    words: tuple[str, ...] = ()
    message: str = ""
    stream_broke: bool = False
    no_retry_after: bool = False


def cause_of(error: ProviderError) -> str:
    """The cause, as the cause table knows it. A spent account is no rate limit: retrying cannot help."""
    words = frozenset(word.lower() for word in error.words)
    if overflowed(error):
        return CONTEXT
    if error.status == 402 or any(_SPENT.search(word) for word in words) or _spent(error):
        return Reason.QUOTA_EXHAUSTED
    if any(_CONTENT.search(word) for word in words):
        return CONTENT
    if error.status == 429 or (error.status in (0, 200, 400) and words & _THROTTLED):
        spent = error.no_retry_after and words <= _ANY_429
        return Reason.QUOTA_EXHAUSTED if spent else Reason.PROVIDER_RATE_LIMIT
    if words & _OUR_POOL or UNTRUSTED in words:
        return OUR_OWN
    # A status that refuses says more than a body that cannot be read: a proxy's 401 or 502 is a page, not JSON.
    if error.status < _REDIRECTS and (error.stream_broke or words & _STREAM):
        return Reason.PROVIDER_STREAM_ERROR
    if error.status < _REDIRECTS and words & _EMPTY:
        return Reason.PROVIDER_EMPTY
    refused = _REDIRECTS <= error.status < 500 and error.status not in (408, 409, 425)
    refused = refused or (error.status in (0, 200) and bool(words & _REFUSED_WORDS))
    return REFUSED if refused else Reason.PROVIDER_ERROR


def _spent(error: ProviderError) -> bool:
    """Does the refusal itself say that the money is gone? A rate limit that tells when to come back is none."""
    return error.status in (0, 400, 403, 429) and says_spent(error.message)


def overflowed(error: ProviderError) -> bool:
    """Did the request not fit the served window? The provider's own error says so, whatever status it came with."""
    return any(is_overflow(word) for word in error.words) or says_overflow(error.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """The earliest failed call that no later call recovered from, its cause, and whether it was the agent's first."""

    call: CallRow
    cause: str
    first: bool


def unrecovered(calls: Iterable[CallRow]) -> Broken | None:
    """What the provider did to an attempt in the end, or nothing.

    A failed call is recovered when a later one was answered. Calls that were refused by us, or that the agent left itself,
    are no failures of the provider; a refused request (4xx) is one only where no call of the attempt was ever
    answered: afterwards it is the agent's own request that was wrong, but for the key (401), which is never the agent's.
    Of a call that the gateway tried again the last try speaks. A fault that the harness made is its own cause. From
    a call that the recording could not answer nothing recovers: whatever came later answers another conversation.
    """
    in_order = sorted(calls, key=lambda one: one.seq)
    if (lost := _not_played(in_order)) is not None:
        return lost
    counted = [call for call in in_order if _counts(call)]
    tried_again = {call.retry_of for call in counted}
    made = [call for call in counted if call.outcome != "retry" or call.seq not in tried_again]
    answered = [at for at, call in enumerate(made) if call.outcome == "ok"]
    tail = made[answered[-1] + 1 :] if answered else made
    for call in tail:
        cause = INJECTED if call.injected else cause_of(error_of(call))
        if cause != REFUSED or not answered or call.status in _NEVER_THE_AGENTS:
            return Broken(call=call, cause=cause, first=not answered)
    return None


def held_up(calls: Iterable[CallRow]) -> Broken | None:
    """What the harness itself did to an attempt that a budget then ended, or nothing.

    A recording that could not answer, or a made fault of the last call that was never over.
    """
    in_order = sorted(calls, key=lambda one: one.seq)
    if (lost := _not_played(in_order)) is not None:
        return lost
    last = in_order[-1] if in_order else None
    if last is None or not last.injected or last.outcome == "ok":
        return None
    return Broken(call=last, cause=INJECTED, first=len(in_order) == 1)


def _not_played(calls: Sequence[CallRow]) -> Broken | None:
    """The first call that the recording did not answer."""
    for at, call in enumerate(calls):
        if isinstance(call.error, str) and call.error in NOT_PLAYED:
            return Broken(call=call, cause=call.error, first=at == 0)
    return None


def error_of(call: CallRow) -> ProviderError:
    """A recorded exchange as an error."""
    word = call.error if isinstance(call.error, str) else ""
    return ProviderError(
        status=call.status if isinstance(call.status, int) else 0,
        words=(word,) if word and not word.startswith("http_") else (),
        stream_broke=call.streamed is True and call.final_event is False,
    )


def retried(calls: Sequence[CallRow]) -> int:
    """How many failed calls were followed by an answered one."""
    made = [call for call in sorted(calls, key=lambda one: one.seq) if _counts(call)]
    last = max((at for at, call in enumerate(made) if call.outcome == "ok"), default=-1)
    return sum(call.outcome != "ok" for call in made[: last + 1])


def was_cut(call: CallRow, *also: str) -> bool:
    """Did the agent's side (or one of `also`) end this call? Whoever leaves on a refusal has had it: its status was there."""
    refused = isinstance(call.status, int) and call.status >= _REFUSALS
    return call.error in (*LEFT_WORDS, *also) and not refused


def _counts(call: CallRow) -> bool:
    """Was it an exchange with the provider about the task, with a known end that the agent did not make itself?

    What a budget or a recording refused is none. What was not sent counts where no connection could be made or trusted,
    the gateway failed, or a fault was made in its place.
    """
    own = call.outcome != "ok" and was_cut(call, KEY_ECHOED)
    sent = call.sent is not False or call.error in BEFORE_SENDING or bool(call.injected)
    ours = bool(call.cap_state) or (isinstance(call.error, str) and call.error in NOT_PLAYED)
    return call.purpose == "solve" and sent and call.outcome != "open" and not own and not ours
