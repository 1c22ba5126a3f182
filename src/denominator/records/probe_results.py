"""What an endpoint bench found: exchanges as bytes, what each says by itself, its class, and the score of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.probe_words import End
from denominator.records.probes import Ask, Path, Terms, Use
from denominator.records.rows import Count, Flag, Text, Usage
from denominator.records.values import NotMeasured

SILENT = NotMeasured("the answer does not say")
NOT_READ = NotMeasured("there was no answer to read")
NO_USAGE = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One attempt as it went over the wire. `at` are (bytes so far, microseconds since the start of sending) of each arrival.

    `wire` are the bytes of the answer from the status line on, with an echoed key covered. Microseconds count from
    `started_at`, which of a fixed rate is when the request was due: `queued_us` passed before it could start.
    """

    ask: Ask
    window: int
    started_at: str
    end: str
    wire: bytes
    at: tuple[tuple[int, int], ...]
    end_us: int
    queued_us: int = 0
    connected_us: Count = NotMeasured("no connection")
    sent_us: Count = NotMeasured("nothing was sent")
    request_sha256: str = ""
    key_echoed: bool = False

    @property
    def closed(self) -> bool:
        """Did the end of the connection end the message (for `read_reply`)? After any other end it was cut."""
        return self.end == End.COMPLETE


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A broken promise: class, a reason of `REASONS`, and the fact that shows it, in a few words without user text.

    `observed`: a parameter that was ignored; it is told beside the class and never is one.
    """

    cls: str
    reason: str
    note: str = ""
    observed: bool = False

    @property
    def word(self) -> str:
        """class:reason."""
        return f"{self.cls}:{self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one exchange says by itself: facts and faults, no text of the answer. Microseconds; `faults` by precedence.

    `complete`: a good request got a whole answer with status 200, so its times are counted. `content_sha256` is of the
    text (of tool calls: of their names and arguments). `judgements` has a word for every contract.
    """

    ask: Ask
    window: int
    end: str
    status: Count = NOT_READ
    faults: tuple[Fault, ...] = ()
    flags: tuple[str, ...] = ()
    judgements: Mapping[str, str] = field(default_factory=dict)
    complete: bool = False
    finish: Text = SILENT
    model: Text = SILENT
    fingerprint: Text = SILENT
    usage: Usage = NO_USAGE
    usage_convention: Text = SILENT
    content_sha256: Text = SILENT
    content_chars: Count = NOT_READ
    first_byte_us: Count = NOT_READ
    first_content_us: Count = NOT_READ
    total_us: Count = NOT_READ
    queued_us: int = 0
    body_sha256: Text = NOT_READ


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One attempt with its one class. `also` are the class:reason words that hold beside it, observations among them."""

    window: int
    seq: int
    case_id: str
    group: str
    mode: str
    attempt: int
    cls: str
    reason: str = ""
    note: str = ""
    also: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    judgements: Mapping[str, str] = field(default_factory=dict)
    status: Count = NOT_READ
    total_us: Count = NOT_READ
    body_sha256: Text = NOT_READ


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """A finding over several attempts of one case: k of n attempts (or pairs) show it. `cls` may be param_ignored.

    `window` 0 is between windows, which changes no class. Of an ignored temperature k is how many distinct texts.
    """

    window: int
    case_id: str
    cls: str
    reason: str
    k: int
    n: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the histogram: k attempts of the n of this group and window ended so."""

    window: int
    group: str
    cls: str
    reason: str
    k: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantiles:
    """Times over completed exchanges, microseconds. `of`: first_byte, first_content or total. `censored`: not completed.

    `kind` is service_time (one request after the other) or response_time (fixed rate, from when each was due).
    """

    window: int
    mode: str
    of: str
    kind: str
    n: int
    censored: int
    p50: Count
    p95: Count
    max: Count
    rule: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowLine:
    """A window as it went. `independent` of those before it: shown by both clocks, or `why` it is not.

    `asked` are measured attempts, `answered` those that got a status, `invalid` those that say nothing of the endpoint
    (`INVALID`). `withheld` says why no pass of this window is counted; "" where they are. `warmups` are in no count.
    """

    number: int
    started_at: str
    ended_at: Text
    asked: int
    answered: int
    independent: bool
    why: str = ""
    invalid: int = 0
    withheld: str = ""
    warmups: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointFacts:
    """What a probe learned of an endpoint that a run may rely on. Words are as heard, sorted."""

    models: tuple[str, ...] = ()
    finish_reasons: tuple[str, ...] = ()
    usage_conventions: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    usage_on_stream: Flag = NotMeasured("no stream was read")
    usage_plain: Flag = NotMeasured("no answer was read")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeScore:
    """What a probe shows: pure data, the same for the same stored bytes. No total over groups or classes exists.

    A window whose passes are withheld has lines of the histogram for invalid attempts alone.
    """

    schema_version: int
    name: str
    seal_sha256: str
    fixture_sha256: str
    cases: int
    client: str
    classifier: str
    url: str
    model: str
    path: Path
    terms: Terms
    use: Use
    windows: tuple[WindowLine, ...]
    attempts: tuple[Scored, ...]
    across: tuple[Across, ...]
    histogram: tuple[Line, ...]
    latency: tuple[Quantiles, ...]
    facts: EndpointFacts
    sentences: tuple[str, ...]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    may_not: tuple[str, ...] = ()
    cap_field: str = "max_tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAttempt:
    """One line of a window's attempts.jsonl: an exchange whose bytes are a blob, or with bodies redacted what was heard."""

    schema_version: int
    ask: Ask
    window: int
    started_at: str
    end: str
    wire_sha256: Text
    wire_bytes: int
    at: tuple[tuple[int, int], ...]
    end_us: int
    queued_us: int = 0
    connected_us: Count = NotMeasured("no connection")
    sent_us: Count = NotMeasured("nothing was sent")
    request_sha256: str = ""
    key_echoed: bool = False
    heard: Heard | None = None
