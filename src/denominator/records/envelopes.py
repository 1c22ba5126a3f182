"""Every condition that can move the number, as people write it.

A field that people must fill in has the type `X | NotMeasured` and defaults to `EMPTY`; `seal` refuses an envelope in
which one of those is missing or holds a placeholder. Decimal numbers are text (`DecimalText`), so that nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from denominator.records.findings import Waiver
from denominator.records.values import NotMeasured

EMPTY = NotMeasured("not filled in")
NO_CAP = NotMeasured("no cap declared")

DecimalText = Annotated[str, "decimal"]
LimitText = Annotated[str, "limit"]
DateText = Annotated[str, "date"]
Text = str | NotMeasured
Number = int | NotMeasured
DecimalValue = DecimalText | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTerms:
    """The model and endpoint as asked for. A snapshot equal to the alias is unknown. "none" says: no model is called.

    `key_env` is the NAME of the harness's environment variable that holds the endpoint's key; the key itself is written nowhere.
    """

    id: Text = EMPTY
    snapshot: Text = EMPTY
    endpoint: Text = EMPTY
    access_class: Text = EMPTY
    server_class: Text = EMPTY
    temperature: DecimalValue = EMPTY
    seed: Text = EMPTY
    max_output_tokens: Number = EMPTY
    key_env: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """One agent + model + endpoint under a label. `command` and `env` are used by agent `command`; `script` by `script`."""

    label: Text = EMPTY
    agent: Text = EMPTY
    agent_version: Text = EMPTY
    model: ModelTerms = ModelTerms()
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    mounts: tuple[str, ...] = ()
    script: str = ""
    harness_commit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one attempt may spend, and how many there are. Seconds, tokens, bytes. Working time = wall minus provider pauses."""

    wall_s: Number = EMPTY
    working_s: Number = EMPTY
    tokens: Number = EMPTY
    tool_calls: Number = EMPTY
    calls: Number = NO_CAP
    output_bytes: int = 8_000_000
    attempts: Number = EMPTY
    repeats: Number = EMPTY
    incarnations_max: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Attempt retries per class of ending. A red verdict is never retried for the headline."""

    verdict: int = 0
    rate_limited: Number = EMPTY
    server_error: Number = EMPTY
    timeout: Number = EMPTY
    other_4xx: int = 0
    infra: Number = EMPTY
    backoff_s: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How endings are treated. `on_timeout` has no default: `fail` or `grade`.

    `tool_loop_n` is how many times in a row the same tool calls with the same results make a loop.
    """

    on_timeout: Text = EMPTY
    retry: RetryPolicy = RetryPolicy()
    never_started_allowed: tuple[str, ...] = ()
    tool_loop_n: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxTerms:
    """Which sandbox and what it enforces on each phase. A megabyte is 2^20 bytes.

    `image` is the system that a container shows, pinned: "NAME@sha256:..." or "sha256:..."; "" where no image is used.
    """

    backend: Text = EMPTY
    network: Text = EMPTY
    memory_mb: Number = EMPTY
    processes: Number = EMPTY
    disk_mb: Number = EMPTY
    file_mb: Number = EMPTY
    open_files: int = 1024
    python: str = "/usr/bin/python3"
    site: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """How the plan is carried out. `seeds[k-1]` belongs to repeat k; `order_seed` shuffles tasks (0 keeps the pack's order)."""

    concurrency: Number = EMPTY
    warmup_tasks: int = 5
    order_seed: int = 0
    seeds: tuple[int, ...] = ()
    min_free_disk_mb: int = 500
    baseline_repeats: int = 3
    run_cap_tokens: Number = NO_CAP


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """Shares above which no aggregate is printed; equal does not block. 0.10 and 0.20 are conventions."""

    invalid_rate: DecimalValue = EMPTY
    infra_rate: DecimalValue = EMPTY
    retry_rate: DecimalText = "0.20"
    replay_flips: DecimalText = "0.20"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """The sealed headline: its name and what scores it (tests, compile, schema, golden_diff; model or person never)."""

    headline: Text = EMPTY
    scorer: Text = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Cite:
    """The sentence that the result is meant to support, and the rule by which it may be cited; both written before."""

    sentence: Text = EMPTY
    rule: Text = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The one primary comparison and the family it belongs to, declared before the run.

    `primary` is two arm labels, the second against the first; `family` lists further pairs as "a:b", whose p values are
    adjusted together with it. `question` is `difference`, `non_inferior` or `equivalent`; the last two need a `margin`
    (share of draws). `test` is `exact` or `midp`. `looks` is how many times a running comparison may be looked at before
    its end. `delivered_floor` is the least share of attempts of an arm in which the treatment must really have been there.
    """

    primary: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    looks: int = 0
    question: str = "difference"
    margin: LimitText = ""
    test: str = "exact"
    alpha: DecimalText = "0.05"
    delivered_floor: DecimalText = "0.95"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A rule of the house, sealed before the run: a bound of a metric that has to be kept. It can only add findings.

    `of` says which number is held against the limits: `value`, `lower` or `upper` (ends of the interval), `numerator`.
    """

    name: str
    metric: str
    why: str
    of: str = "value"
    at_least: LimitText = ""
    at_most: LimitText = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a sealed field is weaker than in the previous seal of the lineage, and who answers for it."""

    field: str
    why: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTerms:
    """Allowance and terms of the endpoint as read on a date; assumed quota or permanence refuses the seal."""

    allowance: str = "none"
    reset_rule: str = "none"
    source: str = "none"
    read_on: DateText = ""
    quota_assumed: bool = False
    permanence_assumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFault:
    """A fault that the gateway makes in the provider's place, for the fault bench; it is recorded on the call.

    `kind` is rate_limit, rate_limit_wait, server_error, cut_stream, slow_drip, wrong_usage, no_answer. `task` "" and
    `repeat`, `attempt` 0 mean every one; `call` is the number of the call in the attempt from 1, `times` how many calls
    from there on. `value` is what the kind needs: seconds of a retry-after, a status, events before a cut,
    milliseconds between drips, a count of tokens.
    """

    kind: str
    task: str = ""
    repeat: int = 0
    attempt: int = 0
    call: int = 1
    times: int = 1
    value: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayTerms:
    """How the gateway carries calls. Transport retries are its own tries of one call, never attempt retries.

    `retries` is how many further tries a call gets, on the endings that `retry_on` names (rate_limited, server_error,
    connect), each after a wait of at most `wait_max_s` seconds; all of that is provider pause, outside working time.
    `bodies` is keep or digests. `cassette` is a folder beside the envelope whose recorded answers take the provider's
    place; `volatile` names places of a request (dotted, `*` for every element) that may differ from the recording.
    `probe` is the folder of a probe of the arm's endpoint, beside the envelope.
    """

    retries: int = 0
    retry_on: tuple[str, ...] = ("rate_limited", "server_error", "connect")
    wait_max_s: int = 60
    bodies: str = "keep"
    cassette: str = ""
    probe: str = ""
    volatile: tuple[str, ...] = ()
    fault: tuple[ProviderFault, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProvenance:
    """Who runs it, in what role, towards what."""

    operator: Text = EMPTY
    purpose: Text = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A whole `envelope.toml`."""

    schema_version: int = 1
    question: Text = EMPTY
    pack: Text = EMPTY
    arm: tuple[Arm, ...] = ()
    budget: Budget = Budget()
    policy: Policy = Policy()
    sandbox: SandboxTerms = SandboxTerms()
    run: RunTerms = RunTerms()
    ceilings: Ceilings = Ceilings()
    metric: Metric = Metric()
    cite: Cite = Cite()
    treatment: tuple[str, ...] = ()
    comparison: Comparison = Comparison()
    terms: EndpointTerms = EndpointTerms()
    gateway: GatewayTerms = GatewayTerms()
    provenance: RunProvenance = RunProvenance()
    allow: tuple[Waiver, ...] = ()
    clause: tuple[Clause, ...] = ()
    loosen: tuple[Reason, ...] = ()
