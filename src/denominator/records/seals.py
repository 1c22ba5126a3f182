"""What is frozen before the first prompt."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.boxes import Box, SandboxFacts
from denominator.records.cassettes import SealedCassette
from denominator.records.conditions import Conditions, Loosened
from denominator.records.envelopes import Arm, Clause, Comparison, Envelope
from denominator.records.findings import Waiver
from denominator.records.packs import LockedTask, Provenance, Task
from denominator.records.replays import Look, Replay
from denominator.records.rows import Declared
from denominator.records.sealed_probes import SealedProbe
from denominator.records.values import NotMeasured

NO_COMPARISON = Comparison()
NOT_SEALED = NotMeasured("the seal does not say who wrote the tasks")
NOT_ASKED = NotMeasured("the agent was not asked for its version: only a preset knows how")


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseRule:
    """One line of the cause table: what ended a row, whose it is, whether it may be re-run. The last line is the unknown one."""

    cause: str
    origin: str
    may_rerun: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Every draw that is promised, in the order in which attempt 1 starts."""

    draws: tuple[Declared, ...]
    warmup: tuple[str, ...] = ()
    order_digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedTask:
    """A task as sealed: what people wrote plus its digests."""

    task: Task
    locked: LockedTask


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedMount:
    """A folder of the host that an agent sees: where it stands inside, and the digest of what it holds.

    Bytecode (`__pycache__`) is left out: it moves without anybody changing the agent.
    """

    inside: str
    sha256: str | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """`seal.json`: its sha256 is the contract. Never edited; a change is a new seal and a new run.

    `previous` is the digest of the lineage's last seal, `lineage` why a new lineage was begun beside an old one. `house`
    names the gate rules that the house added. `cassette` is the recording that answers in the provider's place, `probe` what
    was learned of the endpoint before.
    `agent_reported` is the version that the agent's own program said in the sandbox before the seal; where it is known it
    equals `arm.agent_version`. `provenance` is the pack's: who wrote the tasks, and which models helped.
    `pack_audit` is what `pack audit` had found of these files, in a line; "" in a seal that did not ask.
    """

    envelope: Envelope
    arm: Arm
    pack_id: str
    pack_version: str
    pack_digest: str
    pack_reason: str
    pack_license: str
    selection_rule: str
    tasks: tuple[SealedTask, ...]
    plan: Plan
    rules_digest: str
    causes: tuple[CauseRule, ...]
    box: Box
    sandbox: SandboxFacts
    grader_sha: str
    baseline_digest: str
    unsandboxed: bool
    version: str
    commit: str
    sealed_at: str
    previous: str = ""
    loosened: tuple[Loosened, ...] = ()
    lineage: str = ""
    house: tuple[str, ...] = ()
    mounts: tuple[SealedMount, ...] = ()
    cassette: SealedCassette | None = None
    probe: SealedProbe | None = None
    agent_reported: str | NotMeasured = NOT_ASKED
    provenance: Provenance | NotMeasured = NOT_SEALED
    pack_audit: str = ""
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the gate must know beside the rows: the sealed policy of a run of ours, or what a foreign manifest declares.

    `origin` is `seal` or `manifest`. `missing` lists fields without which the envelope is incomplete. `controls_declared`
    is false where a foreign manifest declares none. `changed` lists sealed digests that no longer hold.
    `strata` are declared sizes by name. `flaky_tasks` showed both results with the agent off; `bad_tasks` were green
    without a patch or red with the gold patch; `blamed` names, as (task, reason), those whose gold patch was failed by
    its surroundings; the gold patch of `expired_tasks` was green at the lock and is red now. `allow` are the envelope's
    waivers; `sealed_at` is the UTC time at which the seal was made, by which they are dated. `tool_loop_n` is how many
    times the same calls with the same results make a loop; `network` is off, gateway, open or empty (not stated).
    `conditions` is every field that can move the number; `treatment` names those of them that are meant to differ;
    `clauses` are rules of the house; `loosened` is what is weaker than in `previous`, the digest of the lineage's last
    seal; `lineage` says why a new lineage was begun.
    `replays` are later runs under the same seal, `looks` what was seen of a comparison before its end;
    above `replay_ceiling` and `retry_ceiling` (decimal shares) the sentence changes. `cite_rule` is the
    sealed rule of citation as it was written, `selection` why these tasks; `claim_id` names a published claim and `rerun`
    is its recipe; `siblings` are other runs of the same envelope, arm and pack; `dates` are UTC dates that a manifest
    states; `unpinned` are fields of task cards that nothing pins, as (task, field); `stopped` says why a run stopped early.
    `families` names, as (task, family), tasks that share a repository or a family and so are not independent.
    `cassette` is the recording that answered in the provider's place: then no draw is a new one. `probe` is what was learned
    of the endpoint before the run.
    """

    origin: str
    name: str
    digest: str
    invalid_ceiling: str
    infra_ceiling: str
    on_timeout: str
    scorer: str
    headline: str
    sentence: str
    repeats: int
    attempts: int
    retry_declared: bool
    grading_levels: tuple[str, ...]
    hidden_tests: bool
    controls_declared: bool
    never_started_allowed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    capped_at_counts: tuple[str, ...] = ()
    house_reasons: tuple[str, ...] = ()
    printed_percents: tuple[str, ...] = ()
    causes: tuple[CauseRule, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    strata: tuple[tuple[str, int], ...] = ()
    flaky_tasks: tuple[str, ...] = ()
    bad_tasks: tuple[str, ...] = ()
    blamed: tuple[tuple[str, str], ...] = ()
    expired_tasks: tuple[str, ...] = ()
    allow: tuple[Waiver, ...] = ()
    sealed_at: str = ""
    tool_loop_n: int = 3
    network: str = ""
    arm: str = ""
    conditions: Conditions = ()
    treatment: tuple[str, ...] = ()
    comparison: Comparison = NO_COMPARISON
    clauses: tuple[Clause, ...] = ()
    loosened: tuple[Loosened, ...] = ()
    previous: str = ""
    lineage: str = ""
    replays: tuple[Replay, ...] = ()
    replay_ceiling: str = "0.20"
    retry_ceiling: str = "0.20"
    looks: tuple[Look, ...] = ()
    cite_rule: str = ""
    selection: str = ""
    claim_id: str = ""
    rerun: str = ""
    siblings: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    unpinned: tuple[tuple[str, str], ...] = ()
    stopped: str = ""
    families: tuple[tuple[str, str], ...] = ()
    cassette: SealedCassette | None = None
    probe: SealedProbe | None = None
