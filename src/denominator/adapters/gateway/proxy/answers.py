"""What answers a call: the provider, a recording, or a maker of faults, behind one interface.

An origin gets one outgoing request and returns the head of an answer with its body still to come. What goes wrong
before the head raises `BrokenError` out of `answer`, what goes wrong later raises it out of the body. The gateway
watches the provider's silence, cuts by cancelling (the attempt's end, an agent that left) and always closes the body.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, Self

from denominator.adapters.gateway.headers import Headers
from denominator.records.keys import AttemptKey
from denominator.wire.providers import Api

WORDS: dict[str, str] = {
    "connect_failed": "no connection to the provider, nothing was sent",
    "certificate_refused": "the other end is not who it says, or that cannot be verified here; nothing was sent",
    "send_failed": "the connection broke while the request was sent",
    "no_answer": "the connection broke before a whole head of an answer, or what came is not HTTP",
    "timeout": "the provider was silent for longer than the limit",
    "response_cut": "the connection broke inside the body",
    "encoding_unknown": "a content encoding that we cannot read, so it is not passed on",
    "encoding_broken": "a compressed body that does not decompress, or that goes on after its end",
    "response_too_large": "more bytes than the limit, packed or unpacked",
    "key_echoed": "the provider sent the key back inside a compressed body",
    "bad_framing": "a request that cannot be written as HTTP: the agent's own doing",
    "client_left": "the agent closed its connection before it had the whole answer",
    "attempt_ended": "the attempt's end cut the call",
    "gateway_failed": "a fault of the gateway itself",
    "cassette_mismatch": "the request is not the one that was recorded; refused with 400",
    "cassette_spent": "the recording holds no such call; refused with 400",
    "cassette_damaged": "the recording is not what was sealed; refused with 400",
}


class BrokenError(Exception):
    """An exchange without a whole answer: a word for the row, and a status for an agent that has no answer yet."""

    def __init__(self, word: str, status: int = 502) -> None:
        super().__init__(word)
        self.word = word
        self.status = status


@dataclass(slots=True)
class Marks:
    """What an origin makes known on the way, true even when it is cut: each is set before its effect.

    `sent`: a byte may have reached whoever is paid. `cassette` is the digest of the recording that answers, `injected`
    the kind of the fault that is made, `differs` where the request is not the recorded one; all go into the call's row.
    """

    sent: bool = False
    cassette: str = ""
    injected: str = ""
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One request, as recorded and granted. `below` is the path below /v1, `query` starts with "?" or is empty.

    `headers` are the agent's without its token and without hop-by-hop ones; `credential` names the header in which the
    token came, where the provider's key goes. `seq` is the number of the call in the attempt, each transport retry
    having one of its own (`retry_of` is the call before it, or 0).
    """

    method: str
    below: str
    query: str
    headers: Headers
    credential: str
    body: bytes
    api: Api
    key: AttemptKey
    incarnation: int
    seq: int
    retry_of: int = 0
    marks: Marks = field(default_factory=Marks)


class Body(Protocol):
    """The bytes of a body as they arrive: content encoding untouched, transfer encoding taken off.

    Whoever asked closes it (`aclose`), also after a break and when nothing was read. Nobody reads it from two tasks.
    """

    def __aiter__(self) -> Self: ...
    async def __anext__(self) -> bytes: ...
    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The head of an answer. `headers` are as they came, `length` is of the body or None when its end will tell."""

    status: int
    headers: Headers
    body: Body
    length: int | None = None


class Origin(Protocol):
    """Answers calls, many at once."""

    async def answer(self, call: Outgoing) -> Answer:
        """The head of the answer. Raises `BrokenError`; may be cancelled at any await."""
        ...

    async def close(self) -> None:
        """Lets go of what is kept between calls."""
        ...
