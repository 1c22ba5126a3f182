"""The endpoint bench: what is asked, how it was answered, and what that shows (METHODS M7).

A *case* is one frozen question with what a kept promise looks like. An *attempt* is one request of it; a case in mode
`both` is asked plain and streamed each time. An *exchange* is an attempt as bytes; `Heard` is what one exchange says by
itself; `Scored` is its one class, which may depend on its neighbours (usage that differs between them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.envelopes import DecimalText, LimitText
from denominator.records.events import Json
from denominator.records.probe_words import Kind, Mode
from denominator.records.rows import Count, Flag, Text
from denominator.records.values import NotMeasured

BODY_BYTES_MAX = 8 * 2**20
DEADLINE_MS = 60_000
GAP_MS = 20_000
WINDOW_GAP_S = 2 * 60 * 60
"""Two windows are independent when their starts lie this far apart, by the wall clock and by the monotonic one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One line of a fixture. `mode` is plain, stream or both; `request` are further fields of the body as they are sent.

    `group` is strict_json, schema, truncation, accounting, unicode, tools, streaming or malformed; `kind` is json, text,
    answer, cap, call or malformed. A field of `request` that is a fraction is {"$decimal": "0.9"} and goes out as 0.9.
    A streamed request asks for usage in the stream unless `stream_usage` is false.
    `temperature` is decimal text ("" leaves it out). `model` replaces the envelope's model for this case. `body` is of
    malformed controls alone: text is sent as it stands (with `$model` replaced by the model as JSON), an object as JSON
    with the model put in where it names none. `expect` depends on the kind.
    """

    id: str
    group: str
    kind: str
    prompt: str = ""
    system: str = ""
    mode: str = "plain"
    max_tokens: int = 64
    temperature: LimitText = "0"
    model: str = ""
    stream_usage: bool = True
    request: Mapping[str, Json] = field(default_factory=dict)
    body: Json = None
    expect: Mapping[str, Json] = field(default_factory=dict)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """How it is asked."""
        return (Mode.PLAIN, Mode.STREAM) if self.mode == "both" else (Mode(self.mode),)

    @property
    def control(self) -> bool:
        """Is it wrong on purpose? Controls are counted apart."""
        return self.kind == Kind.MALFORMED


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """Frozen cases in the order of the file. `sha256` is of the file's bytes."""

    name: str
    sha256: str
    cases: tuple[Case, ...]

    def case(self, case_id: str) -> Case:
        """The case of that id; KeyError where there is none."""
        return {one.id: one for one in self.cases}[case_id]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Who is asked. `url` is what stands before /chat/completions. `key_env` names a variable, never a key.

    `cap_field` is the name by which requests state the output cap; some endpoints refuse the older one.
    """

    url: str
    model: str
    key_env: str = ""
    cap_field: str = "max_tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Which way requests go: `direct`, or through a `gateway` that is named with its version."""

    kind: str = "direct"
    name: str = ""
    version: str = ""

    @property
    def told(self) -> str:
        """In words."""
        return "direct" if self.kind == "direct" else f"through {self.name} {self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a window is run. Milliseconds, bytes, counts; `rate` is requests a second as decimal text ("" = one after the other).

    `gap_ms` is the longest silence inside a stream, from its first byte on. `in_flight` bounds open requests of a fixed
    rate. `slow_ms`: an answer slower than that is flagged.
    """

    attempts: int = 3
    seed: int = 1
    deadline_ms: int = DEADLINE_MS
    gap_ms: int = GAP_MS
    slow_ms: int = 1_000
    body_bytes_max: int = BODY_BYTES_MAX
    warmups: int = 1
    pause_ms: int = 0
    rate: LimitText = ""
    in_flight: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What the owner declares about the use that the endpoint is for; the gate asks for it. Empty text: not declared."""

    data_may_be_sent: Flag = NotMeasured("not declared")
    fallback: str = ""
    job_timeout_ms: Count = NotMeasured("not declared")
    timeout_stops_merges: Flag = NotMeasured("not declared")
    error_budget: LimitText = ""
    firm_latency_promise: Flag = NotMeasured("not declared")
    monitoring: str = ""
    data_policy: str = ""
    sla_needed: Flag = NotMeasured("not declared")
    team_decision: Flag = NotMeasured("not declared")
    invalid_rate_ceiling: DecimalText = "0.05"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeEnvelope:
    """What `probe.toml` says. `fixture` is a path relative to it; `fixture_sha256` freezes what it holds."""

    schema_version: int
    name: str
    fixture: str
    fixture_sha256: str
    endpoint: Endpoint
    path: Path = Path()
    run: Terms = Terms()
    use: Use = Use()
    redact_bodies: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeSeal:
    """What a probe is, frozen before its first request. `client` and `classifier` are versions."""

    schema_version: int
    envelope: ProbeEnvelope
    cases: int
    client: str
    classifier: str
    made_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One planned request of a window: its place in the order, and what it is. Warm-ups have `purpose` warmup."""

    seq: int
    case_id: str
    mode: str
    attempt: int
    purpose: str = "measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One pass over the fixture. `mono_ns` may be compared under one `boot_id` only. Stamps are of the window's first start.

    `resumed_at` are the stamps of later starts; `seal_sha256` is the seal it was begun under.
    """

    number: int
    started_at: str
    mono_ns: int
    boot_id: str
    ended_at: Text = NotMeasured("not ended")
    resumed_at: tuple[str, ...] = ()
    seal_sha256: str = ""
