"""Freezing: envelope + one arm + pack + plan + rules + causes + box + baseline -> `Seal`. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.envelopes.complete import require_complete
from denominator.envelopes.gateway import refuse_unknown_tasks
from denominator.errors import InputError, MachineError, Problem
from denominator.records.boxes import Box, SandboxFacts
from denominator.records.cassettes import SealedCassette
from denominator.records.envelopes import Arm, Envelope
from denominator.records.packs import Baseline, FoundPack, LockedTask, PackLock
from denominator.records.sealed_probes import SealedProbe
from denominator.records.seals import NOT_ASKED, CauseRule, Plan, Seal, SealedMount, SealedTask
from denominator.records.values import NotMeasured
from denominator.wire.canonical import digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealing:
    """What surrounds a seal: rules, causes, the machine, the grader, the version that made it, and when."""

    rules_digest: str
    causes: tuple[CauseRule, ...]
    box: Box
    sandbox: SandboxFacts
    grader_sha: str
    version: str
    commit: str
    sealed_at: str
    unsandboxed: bool = False
    mounts: tuple[SealedMount, ...] = ()
    house: tuple[str, ...] = ()
    cassette: SealedCassette | None = None
    probe: SealedProbe | None = None
    agent_reported: str | NotMeasured = NOT_ASKED


def seal_digest(seal: Seal) -> str:
    """The contract: sha256 of the seal's canonical JSON."""
    return digest(seal)


def arm_named(envelope: Envelope, label: str | None) -> Arm:
    """The arm with this label; without one the only arm there is."""
    labels = [str(arm.label) for arm in envelope.arm]
    if label is None and len(envelope.arm) == 1:
        return envelope.arm[0]
    for arm in envelope.arm:
        if label is not None and arm.label == label:
            return arm
    what = f'no arm "{label}"' if label else f"{len(labels)} arms and none named"
    raise InputError(what, where="--arm", fix="one of: " + (", ".join(labels) or "none; add an [[arm]]"))


def make_seal(
    envelope: Envelope,
    arm: Arm,
    found: FoundPack,
    plan: Plan,
    baseline: Baseline,
    around: Sealing,
    where: str = "envelope",
) -> Seal:
    """Seal a complete envelope. Refuses an incomplete one, an unlocked pack, a machine without the sandbox asked for.

    That the pack on disk is what its lock says is the caller's to check (`packs.require_locked`) right before.
    """
    require_complete(envelope, where)
    refuse_unknown_tasks(envelope, {task.id for task in found.pack.tasks}, where)
    lock = _lock(found)
    _check_machine(envelope, around)
    _check_baseline(envelope, lock, baseline)
    locked = {task.id: task for task in lock.tasks}
    return Seal(
        envelope=envelope,
        arm=arm,
        pack_id=lock.pack_id,
        pack_version=lock.pack_version,
        pack_digest=lock.digest,
        pack_reason=found.pack.reason,
        pack_license=found.pack.license,
        selection_rule=found.pack.selection.rule,
        provenance=found.pack.provenance,
        tasks=tuple(SealedTask(task=task, locked=_locked(locked, task.id, found)) for task in found.pack.tasks),
        plan=plan,
        rules_digest=around.rules_digest,
        causes=around.causes,
        box=around.box,
        sandbox=around.sandbox,
        grader_sha=around.grader_sha,
        baseline_digest=digest(baseline),
        unsandboxed=around.unsandboxed,
        mounts=around.mounts,
        cassette=around.cassette,
        probe=around.probe,
        agent_reported=around.agent_reported,
        version=around.version,
        commit=around.commit,
        sealed_at=around.sealed_at,
        house=around.house,
    )


def _lock(found: FoundPack) -> PackLock:
    if found.lock is None:
        raise InputError("the pack is not locked", where=found.root, fix="denominator pack lock " + found.root)
    return found.lock


def _locked(locked: dict[str, LockedTask], task_id: str, found: FoundPack) -> LockedTask:
    if task_id not in locked:
        raise InputError(f"task {task_id} is not in the lock", where=found.root, fix="raise the version and lock again")
    return locked[task_id]


def _check_machine(envelope: Envelope, around: Sealing) -> None:
    """What is sealed is what will be enforced: the backend by name, and one that works here."""
    asked, have = envelope.sandbox.backend, around.sandbox
    if around.unsandboxed != (have.name == "bare"):
        what = "the bare sandbox and --no-sandbox go together or not at all"
        raise MachineError(what, where="sandbox.backend", fix="name a sandbox, or say --no-sandbox")
    if asked != have.name and not around.unsandboxed:
        raise MachineError(f"the envelope asks for {asked}, this is {have.name}", where="sandbox.backend")
    if not have.usable:
        raise MachineError(f"{have.name} does not work here: {have.why_not}", where="sandbox", fix="denominator doctor")


def _check_baseline(envelope: Envelope, lock: PackLock, baseline: Baseline) -> None:
    pairs = (
        ("pack digest", baseline.pack_digest, lock.digest),
        ("concurrency", baseline.concurrency, envelope.run.concurrency),
    )
    found = [Problem(f"baseline {name}", f"{have}, wanted {want}") for name, have, want in pairs if have != want]
    if baseline.repeats < envelope.run.baseline_repeats:
        found.append(Problem("baseline repeats", f"{baseline.repeats}, wanted {envelope.run.baseline_repeats}"))
    if found:
        raise InputError("the baseline is of other conditions", where="baseline", problems=found, fix="take a new one")
