"""The ledger: one row per promised attempt, one per model call. Facts only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.facts import Hint, OwnAccount, SurfaceFacts, TestCounts, ToolFacts
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.labels import Label
from denominator.records.values import NotMeasured

Count = int | NotMeasured
Flag = bool | NotMeasured
Text = str | NotMeasured

UNREAD = NotMeasured("not recorded")

LEFT_WORDS = ("client_left", "attempt_ended")
"""Errors of a call that the agent's side ended: it went, or its attempt was over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a row comes from: `own` (our journal) or `import` with file, 1-based line and the line's sha256."""

    kind: str = "own"
    file: str = ""
    line: int = 0
    sha256: str = ""

    @property
    def place(self) -> str:
        """file:line; the file alone where the row is no line of it; "" without a file."""
        return f"{self.file}:{self.line}" if self.line and self.file else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many tests of a kind were expected and how many of them failed, as they must."""

    expected: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The earliest failure event that nothing recovered from."""

    seq: int
    cause: str
    writer: str
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestIds:
    """Reported test ids by status. `other` are ids that nobody expected; `missing` were expected and not reported."""

    expected: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchFacts:
    """What the patch is: digest and size of the stored change, and which paths it touches.

    A foreign source may say that there is a change without its size or digest: then `bytes` is unknown, `sha256` empty.
    """

    sha256: str
    bytes: Count
    touched: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    base_tree: str = ""
    final_tree: str = ""
    applied_tree: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Sums over the calls of one attempt, in tokens. Cached tokens are parts of `prompt`, reasoning of `completion`."""

    prompt: Count = UNREAD
    completion: Count = UNREAD
    cached_read: Count = UNREAD
    cache_write: Count = UNREAD
    reasoning: Count = UNREAD
    calls: Count = UNREAD
    complete: Flag = UNREAD


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRow:
    """One promised attempt. Durations are milliseconds of the monotonic clock; unknown is `NotMeasured`, never 0.

    `runner_ending` is a word of `RunnerEnding`; `runner_blames_patch` says whether that ending points at a file of the
    patch (an import target, a frame of a traceback, a test file that the agent removed). `baseline_collects`: did the
    tests collect with the agent off. `gold_now` and `regraded` are grades: of the reference patch in the same box, of
    the same patch again in a clean tree. `tampering` names what the agent changed to make its own verdict (tests, runner,
    startup, verdict), `gave_away` what showed it, as "kind: what". `looked_beyond` are forbidden places that its tool calls
    name, which moves no outcome. `forged_output`: the printed text claims passes that the report denies. `leaks_read` are
    places of the answer that the agent's tool calls name. `patch_made_by` is harness or agent_text; `weak_tests` says of what kind
    the only passing tests are (mock, snapshot). `hints` are texts that a person should look at, earliest first;
    `words` are such texts in what the agent or its tests printed: to read, and no rule reads them. `started_at` is UTC, for
    the dates of a run only. `served_hosts`, `quantisations`, `fingerprints` and `decoding` ("temperature=0.7", each value
    that an answer named) are what the responses said; `prompt_sha256` and `tools_sha256` are digests of the prompt and of
    the tool list as they were sent. `played`: a recording answered a call of
    it, so that it is no new draw. `numbered` is false where a source gave
    no attempt number, so that 1 was assumed.
    """

    key: AttemptKey
    slice: str
    control: str = ""
    stratum: str = ""
    cause: str = "plan"
    source: Source = Source()
    numbered: bool = True
    started: bool = False
    closed: bool = False
    started_at: Text = UNREAD
    served_hosts: tuple[str, ...] = ()
    quantisations: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    decoding: tuple[str, ...] = ()
    prompt_sha256: Text = UNREAD
    tools_sha256: Text = UNREAD
    incarnations: int = 0
    queue_wait_ms: Count = UNREAD
    setup_ms: Count = UNREAD
    agent_ms: Count = UNREAD
    grade_ms: Count = UNREAD
    wall_ms: Count = UNREAD
    paused_ms: Count = UNREAD
    working_ms: Count = UNREAD
    cold_start: Flag = UNREAD
    time_to_first_green_ms: Count = UNREAD
    stop_reason: Text = UNREAD
    killed_by: Text = UNREAD
    agent_exit: Count = UNREAD
    agent_signal: Count = UNREAD
    oom: Flag = UNREAD
    after_cap: Flag = UNREAD
    run_cap_cut: bool = False
    first_unrecovered: Failure | None = None
    limits_enforced: Mapping[str, str] = field(default_factory=dict)
    grade: str = "none"
    grading_level: Text = UNREAD
    grade_stage: Text = UNREAD
    verify_exit: Count = UNREAD
    verify_signal: Count = UNREAD
    tests: TestIds | NotMeasured = UNREAD
    sentinels: Tally | NotMeasured = UNREAD
    counter_tests: Tally | NotMeasured = UNREAD
    grader_sha: Text = UNREAD
    report_sha: Text = UNREAD
    tests_hidden: Flag = UNREAD
    tests_written_by_agent: Flag = UNREAD
    patch: PatchFacts | NotMeasured = UNREAD
    usage: Usage = Usage()
    provider_retries: Count = UNREAD
    invalid_calls: Mapping[str, int] = field(default_factory=dict)
    asked: Flag = UNREAD
    abstained: Flag = UNREAD
    required_missing: tuple[str, ...] = ()
    canary_hits: tuple[str, ...] = ()
    canary_searched: Flag = UNREAD
    asked_model: Text = UNREAD
    served_models: tuple[str, ...] = ()
    access_class: Text = UNREAD
    server_class: Text = UNREAD
    baseline_ref: str = ""
    green_without_agent: Flag = UNREAD
    seed: Count = UNREAD
    agent_started: Flag = UNREAD
    runner: Text = UNREAD
    runner_ending: Text = UNREAD
    runner_blames_patch: Flag = UNREAD
    baseline_collects: Flag = UNREAD
    test_counts: TestCounts | NotMeasured = UNREAD
    gold_now: Text = UNREAD
    regraded: Text = UNREAD
    workspace_reused: Flag = UNREAD
    sentinel_changed: Flag = UNREAD
    tampering: tuple[str, ...] = ()
    gave_away: tuple[str, ...] = ()
    looked_beyond: tuple[str, ...] = ()
    forged_output: Flag = UNREAD
    leaks_read: tuple[str, ...] = ()
    canary_echo: Flag = UNREAD
    patch_made_by: Text = UNREAD
    apply_exit: Count = UNREAD
    already_applied: Flag = UNREAD
    weak_tests: tuple[str, ...] = ()
    tools: ToolFacts | NotMeasured = UNREAD
    surfaces: SurfaceFacts | NotMeasured = UNREAD
    own_account: OwnAccount | NotMeasured = UNREAD
    hints: tuple[Hint, ...] = ()
    words: tuple[Hint, ...] = ()
    played: bool = False
    notes: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """One HTTP exchange with a model. Written as an intent before and a result after; an open intent is spend unknown.

    `sent` says whether anything went to the provider: a call that the gateway refused itself costs nothing. `outcome` is
    open, ok, retry (failed, and the gateway tried again: `retry_of` of the next row names this one), pause or gave_up.
    `paused_ms` is how long the provider kept the attempt waiting because of this call, outside working time. `thread` is
    the digest of what a conversation begins with (model, system text, first message), which tells sub-agents apart.
    `host` and `quantisation` are what the response names; `decoding_asked` and `decoding` are sampling parameters as
    sent and as returned, in decimal text. `tool_calls` are "name:digest" of each call in the answer. `reserved_tokens` is the
    worst case that was taken from the budgets before the call, `cap_injected` the sealed output cap where the request
    had none, `cap_state` the budget that refused the call. `bodies_kept`: both bodies are blobs under their digests.
    `provider_cost` is what the provider itself reports, in `provider_cost_unit`. `cassette` is the digest of the recording
    that answered in the provider's place, `differs` the first places in which the request is not the recorded one;
    `injected` the fault that the harness made. `content_type` and `content_encoding` are headers of the response.
    """

    key: AttemptKey
    seq: int
    incarnation: int = 1
    purpose: str = "solve"
    outcome: str = "open"
    method: str = ""
    path: str = ""
    status: Count = UNREAD
    error: Text = UNREAD
    retry_after_s: Text = UNREAD
    finish: Text = UNREAD
    final_event: Flag = UNREAD
    usage_raw: Text = UNREAD
    usage_convention: Text = UNREAD
    usage: Usage = Usage()
    asked_model: Text = UNREAD
    served_model: Text = UNREAD
    fingerprint: Text = UNREAD
    first_byte_ms: Count = UNREAD
    last_byte_ms: Count = UNREAD
    request_bytes: Count = UNREAD
    response_bytes: Count = UNREAD
    request_sha256: Text = UNREAD
    response_sha256: Text = UNREAD
    sent: Flag = UNREAD
    streamed: Flag = UNREAD
    client_left: Flag = UNREAD
    usage_source: Text = UNREAD
    request_id: Text = UNREAD
    started_at: Text = UNREAD
    retry_of: int = 0
    paused_ms: int = 0
    thread: Text = UNREAD
    host: Text = UNREAD
    quantisation: Text = UNREAD
    decoding_asked: Mapping[str, str] = field(default_factory=dict)
    decoding: Mapping[str, str] = field(default_factory=dict)
    prompt_sha256: Text = UNREAD
    tools_sha256: Text = UNREAD
    tool_calls: tuple[str, ...] = ()
    first_content_ms: Count = UNREAD
    reserved_tokens: Count = UNREAD
    cap_injected: Count = UNREAD
    cap_state: str = ""
    bodies_kept: Flag = UNREAD
    provider_cost: Text = UNREAD
    provider_cost_unit: Text = UNREAD
    cassette: str = ""
    differs: tuple[str, ...] = ()
    injected: str = ""
    content_type: Text = UNREAD
    content_encoding: Text = UNREAD
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One draw that was promised before anything ran."""

    draw: DrawKey
    slice: str = "solvable"
    control: str = ""
    stratum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """Something wrong with the rows as they were read: kind, where (file:line or key), what; `keys` names draws."""

    kind: str
    where: str
    what: str
    keys: tuple[str, ...] = ()
    blocks: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Rows and what was promised. `declared_n` is known even where the ids are not."""

    run_id: str
    source: str
    declared: tuple[Declared, ...] | NotMeasured
    declared_n: Count
    rows: tuple[AttemptRow, ...]
    calls: tuple[CallRow, ...] = ()
    labels: tuple[Label, ...] = ()
    defects: tuple[Defect, ...] = ()
    shape: str = "denominator/1"
