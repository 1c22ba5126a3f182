"""A cassette: what was asked of a model in one run and what came back, to be played in the provider's place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

BROKEN = (
    "connect_failed",
    "certificate_refused",
    "send_failed",
    "no_answer",
    "timeout",
    "response_cut",
    "encoding_unknown",
    "encoding_broken",
    "response_too_large",
    "key_echoed",
    "bad_framing",
    "client_left",
    "attempt_ended",
    "gateway_failed",
)
"""Words of an exchange that did not end whole; it breaks again in the same way when it is played."""
NOT_PLAYED = ("cassette_mismatch", "cassette_spent", "cassette_damaged")
"""Words of a call that the recording could not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedCassette:
    """The recording that answers a run: its digest, the run it was made of, the digest of that run's seal, its calls.

    Two runs that were played from recordings of one run show the same draws, whatever the recordings are called.
    """

    sha256: str
    run_id: str
    seal: str
    calls: int = 0

    @property
    def recording(self) -> tuple[str, str]:
        """Which draws these are: the recorded run by id and seal."""
        return self.run_id, self.seal


@dataclass(frozen=True, slots=True, kw_only=True)
class Cassette:
    """`cassette.json`. `calls_sha256` is of `calls.jsonl`, whose lines name every blob: so its digest is of everything.

    `volatile` are the places of a request that were taken out before it was kept. `left_out` says of how many calls the
    recording holds no answer (asked in an incarnation that died, refused by the gateway itself), by word.
    """

    run_id: str
    seal: str
    calls: int
    attempts: int
    calls_sha256: str
    volatile: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """A line of `calls.jsonl`: one exchange of the attempt's last incarnation.

    `task`, `repeat`, `attempt` and `call` (its number in the attempt, from 1) are the key. `request` is the sha256 of the
    request without its volatile places in canonical form, `response` that of the body as it came ("": none), both
    blobs. `status` is 0 where no head came; `headers` are those that an answer needs. `sent` says whether anything went to
    the provider; `broke` is the word of an exchange that did not end whole.
    """

    task: str
    repeat: int
    attempt: int
    call: int
    method: str
    path: str
    request: str
    incarnation: int = 1
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    response: str = ""
    sent: bool = True
    broke: str = ""
    schema_version: int = 1
