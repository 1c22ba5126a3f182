"""The world as the core sees it: one Protocol per port. Adapters implement them; `wiring` picks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from denominator.records.boxes import Box, SandboxFacts
from denominator.records.bundles import Signed
from denominator.records.claims import Claim
from denominator.records.envelopes import Arm, SandboxTerms
from denominator.records.events import Draft, Event, Json
from denominator.records.keys import AttemptKey
from denominator.records.packs import Task
from denominator.records.rows import CallRow
from denominator.records.standing import Standing


class Clock(Protocol):
    """Time. Durations come from `mono_ns` only; `wall` is UTC ISO 8601 with milliseconds, for people."""

    boot_id: str

    def mono_ns(self) -> int: ...
    def wall(self) -> str: ...
    def sleep(self, seconds: float) -> None: ...


class Failpoints(Protocol):
    """Named points at which tests and the fault bench make bad things happen; nothing happens when off.

    `armed` is what was asked for, in words that arm it again; empty when off. `hit` may raise InjectedError.
    """

    @property
    def armed(self) -> tuple[str, ...]: ...
    def hit(self, name: str) -> None: ...


class Blobs(Protocol):
    """Bytes by sha256. `put` returns the digest after the bytes are durable; putting twice is one blob."""

    def put(self, data: bytes) -> str: ...
    def put_file(self, path: Path) -> str: ...
    def get(self, sha256: str) -> bytes: ...
    def has(self, sha256: str) -> bool: ...


class Signer(Protocol):
    """Signatures over bytes. `check` says by which key, and who that is where `allowed` names it; a bad one is an answer."""

    def sign(self, data: bytes, key: Path) -> bytes: ...
    def check(self, data: bytes, signature: Path, allowed: Path | None = None) -> Signed: ...


class Journal(Protocol):
    """Append-only, hash-chained, durable when `append` returns.

    `append` raises `DuplicateError` for a second promise or ending of one attempt, a second `started` of one
    (attempt, incarnation) or a second intent/done of one (attempt, incarnation, checkpoint). It raises `FencedError` for
    a draft of an incarnation that is older than the newest that started or ended its attempt. Either way nothing of the
    group is written. `put_calls` does the same for an intent; a late result or interim of an older incarnation is kept,
    because money that was spent is spent. `events` begins after sequence number `after`. `verify` walks the chain behind
    sequence number `after` and returns the defects found (empty: sound). `standing` is quick however long the journal is.

    Claims are rows that run out by the journal's own clock: `claim` returns None while somebody's claim of the attempt is
    not over, `renew` says whether the claim still stands (and then for how much longer), `release` gives it back early.

    `lease` holds the run for one process and raises `RunInUseError` while another has it; `check_free` raises the same and
    writes nothing.
    """

    run_id: str

    def append(self, *drafts: Draft) -> list[Event]: ...
    def events(self, key: AttemptKey | None = None, after: int = 0) -> Iterator[Event]: ...
    def put_calls(self, *rows: CallRow) -> None: ...
    def calls(self, key: AttemptKey | None = None) -> Iterator[CallRow]: ...
    def claim(self, key: AttemptKey, seconds: float) -> Claim | None: ...
    def renew(self, claim: Claim, seconds: float) -> bool: ...
    def release(self, claim: Claim) -> None: ...
    def standing(self) -> Standing: ...
    def verify(self, after: int = 0) -> list[str]: ...
    def lease(self) -> AbstractContextManager[None]: ...
    def check_free(self) -> None: ...
    def close(self) -> None: ...


class BoxReader(Protocol):
    """Reads the machine's fingerprint."""

    def read(self, folder: Path, python: str) -> Box: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A host path shown inside the sandbox at `inside` (absolute)."""

    host: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Caps on one sandboxed command. Seconds, bytes, counts. `disk_bytes` caps everything writable together."""

    wall_s: float
    memory_bytes: int
    processes: int
    disk_bytes: int
    file_bytes: int
    open_files: int
    output_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One command in a sandbox.

    `role` is `agent` or `grader`: each role of each slot has a uid of its own where the backend can. `workdir` (a host
    folder made by `Sandbox.workspace`) appears at /work, writable; without one /work is an empty private tmpfs. Nothing of
    the host is visible but the toolchain, `mounts`, and `socket` (a unix socket path, shown at /run/denominator/model.sock).
    With `report` true the command gets a pipe as fd 3; what it writes there comes back in `Ended.report`. `image` is the
    container image of this job, for a sandbox that has images: "NAME@sha256:..."; "" for the sandbox's own.
    """

    argv: Sequence[str]
    role: str
    limits: Limits
    slot: int = 0
    workdir: Path | None = None
    outdir: Path | None = None
    mounts: Sequence[Mount] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = "/work"
    stdin: bytes = b""
    socket: Path | None = None
    report: bool = False
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a sandboxed command ended.

    `killed_by` is a `KilledBy` word and says who sent the signal; `signal` is 0 when none. `exit_code` is -1 when a
    signal ended it. `oom` is true when the kernel's memory limit killed a process of the sandbox. `enforced` says, limit
    by limit, what was really enforced and by what ("268435456 cgroup v1"). `start_ns` is the monotonic stamp of the
    start. `start_error` is non-empty when the command never ran: then nothing else means anything.
    """

    exit_code: int
    signal: int
    killed_by: str
    oom: bool
    wall_ns: int
    start_ns: int
    stdout: bytes
    stderr: bytes
    output_truncated: bool
    report: bytes
    enforced: Mapping[str, str]
    start_error: str = ""


class Stop(Protocol):
    """A flag that says: end what you are doing now."""

    def is_set(self) -> bool: ...


class Sandbox(Protocol):
    """Runs hostile commands.

    `facts` tests what holds on this machine. `workspace` makes an empty folder, sized where the backend can, that the role's
    uid owns; `discard` removes it and whatever agents left in it, following nothing. When `run` returns, every process of the
    sandbox is dead. `run` must be called from a thread that lives on.
    """

    name: str

    def facts(self, terms: SandboxTerms) -> SandboxFacts: ...
    def workspace(self, folder: Path, *, role: str, slot: int, disk_bytes: int) -> Path: ...
    def hand_over(self, folder: Path, *, role: str, slot: int) -> None: ...
    def discard(self, folder: Path) -> None: ...
    def run(self, job: Job, stop: Stop | None = None) -> Ended: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTask:
    """What an agent may know about a task. `gold` is None for every agent but the oracle."""

    key: AttemptKey
    task: Task
    prompt: str
    arm: Arm
    seed: int | None
    gold: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Where an agent leaves an account of itself, and which reader of `readers/trajectories` takes it.

    `files` maps a part's name to a path below /out ("" is the main part); without any it is what the agent prints.
    `endings` maps what the agent says of its own end ("status:WORD") and its exit code ("exit:N") to an `OwnEnding`.
    """

    format: str
    files: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlan:
    """How an agent wants to be run: a command for the sandbox, files to show it read-only at /in, its environment.

    `argv` empty means: the agent does nothing (its phase is recorded as ended cleanly). `needs_model`: it gets the model's
    address where the envelope's network is "gateway".
    """

    argv: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    mounts: tuple[Mount, ...] = ()
    needs_model: bool = False
    trace: Trace | None = None


class Agent(Protocol):
    """Turns a task into a command. Pure: it runs nothing itself.

    The sandbox shows: /work (the repository, writable), /in (read-only: prompt.md and `AgentPlan.files`), /out (writable:
    ask.md, abstain.md, tools.jsonl, whatever else), and when the envelope has network "gateway" a model endpoint at
    $DENOMINATOR_MODEL_URL. See docs/formats/agent.md.
    """

    name: str
    needs_gold: bool

    def plan(self, task: AgentTask) -> AgentPlan: ...
    def version(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeOrder:
    """What a grader gets: the applied tree (read-only), the task, its hidden folder, limits."""

    task: Task
    tree: Path
    hidden: Path
    limits: Limits
    python: str
    site: str
    slot: int = 0
    nonce: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """Facts about one grading. `grade` is green, red, tampered or none; `why` is a sentence for people.

    `stage` says how far it came: not_started, runner_started, collected, finished. `solution_caused` is true when the ending
    (crash, hang, missing report) came after the runner had said hello. `broken` names a fault of the grader itself.
    """

    grade: str
    why: str
    level: str
    stage: str
    expected: tuple[str, ...]
    passed: tuple[str, ...]
    failed: tuple[str, ...]
    skipped: tuple[str, ...]
    missing: tuple[str, ...]
    other: tuple[str, ...]
    sentinels_expected: int
    sentinels_failed: int
    counter_expected: int
    counter_failed: int
    grader_sha: str
    report: bytes
    ended: Ended
    solution_caused: bool = False
    broken: str = ""


class Grader(Protocol):
    """Grades an applied tree in a fresh sandbox. `digest` is of everything that decides (kit files included)."""

    name: str

    def digest(self) -> str: ...
    def grade(self, order: GradeOrder, sandbox: Sandbox, stop: Stop | None = None) -> Graded: ...


@runtime_checkable
class ModelRelay(Protocol):
    """The recording proxy: `open` gives an attempt a unix socket and a token of its own; `close` ends it and returns its calls."""

    def open(self, key: AttemptKey, incarnation: int, folder: Path, *, uid: int | None) -> RelayLease: ...
    def shutdown(self) -> None: ...


class SpendGuard(Protocol):
    """Budgets before calls. One thread asks, so that a grant is atomic over all attempts.

    `ask` reserves the worst case of a call and returns its row with it as `reserved_tokens`; or, as `cap_state`, the name of
    the budget without room for it (tokens, calls, tool_calls, run_cap), or failed_calls where only calls that the provider
    failed keep it from the attempt's own. `settle` puts what the call really used in the
    reservation's place. `capped`: the run's own cap has refused a call, now or in an earlier process.
    """

    @property
    def capped(self) -> bool: ...
    def ask(self, row: CallRow) -> CallRow: ...
    def settle(self, row: CallRow) -> None: ...


class RelayLease(Protocol):
    """One attempt's access to the model.

    `through` rewrites an agent's plan so that it finds the model at a loopback address inside the sandbox; `python` is the
    sandbox's toolchain. `close` ends the access, waits for calls in flight, and returns the attempt's calls in order.
    `paused_ms` is how long the provider has kept the attempt waiting until now, `paused_until` the same of a monotonic time
    that may be past: after `close` every call that failed before it is known. `refused_by` names the budget that refused a
    call first ("" while none has), `refused_ns` is the monotonic time of it. `waiting`: the provider has failed a call and
    the time to come back is not there yet. `lost`: the gateway died meanwhile.
    """

    socket: Path
    token: str

    @property
    def paused_ms(self) -> int: ...
    @property
    def refused_by(self) -> str: ...
    @property
    def refused_ns(self) -> int: ...
    @property
    def waiting(self) -> bool: ...
    @property
    def lost(self) -> bool: ...
    def paused_until(self, now_ns: int) -> int: ...
    def through(self, plan: AgentPlan, python: str) -> AgentPlan: ...
    def close(self) -> Sequence[CallRow]: ...


class Reporter(Protocol):
    """Live progress for people; never data."""

    def expect(self, attempts: int) -> None: ...
    def line(self, text: str) -> None: ...
    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What an engine knows of a job that is over: the worker's answer, or why nobody will answer (`lost`)."""

    answer: str = ""
    lost: str = ""


class Workers(Protocol):
    """An engine that takes jobs to processes elsewhere, at least once or not at all: what was done, only the journal says.

    `submit` hands over a job of a run (both are text that workers understand) and returns a ticket. `poll` waits at most
    `seconds` for what became of it; None: nothing yet. `cancel` tells whoever has the job to end it where the engine can,
    and promises nothing. `close` ends what this process started.
    """

    name: str

    def submit(self, run: str, job: str) -> str: ...
    def poll(self, ticket: str, seconds: float) -> Carried | None: ...
    def cancel(self, ticket: str) -> None: ...
    def close(self) -> None: ...
