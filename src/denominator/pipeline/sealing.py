"""`seal` in order: complete? locked? baseline of today? then the plan, the seal, and one file that is never edited."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from denominator._version import __version__
from denominator.envelopes import Sealing, make_seal, require_complete
from denominator.errors import InputError, Problem
from denominator.labels.causes import DEFAULT_CAUSES
from denominator.packs import refuse_expired, require_locked
from denominator.packs.audit import audit_line
from denominator.pipeline.baseline_store import box_digest, stale
from denominator.pipeline.house import house_lines
from denominator.pipeline.lineage import FIRST, Lineage, sealed_after
from denominator.pipeline.reachable import require_reachable
from denominator.pipeline.rules import rules_digest
from denominator.pipeline.world import World
from denominator.planning import make_plan
from denominator.records.boxes import Box
from denominator.records.envelopes import Arm, Envelope, SandboxTerms
from denominator.records.packs import Baseline, FoundPack
from denominator.records.seals import Plan, Seal
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import write_file


def look_around(world: World, envelope: Envelope, folder: Path, *, unsandboxed: bool = False) -> Sealing:
    """What a seal says of the machine, the grader and the rules, as of now. `folder` is where runs are written."""
    box = read_box(world, envelope.sandbox, folder)
    return Sealing(
        rules_digest=rules_digest(),
        causes=DEFAULT_CAUSES,
        box=box,
        sandbox=world.sandbox.facts(envelope.sandbox),
        grader_sha=world.grader.digest(),
        version=__version__,
        commit=box.harness_commit if isinstance(box.harness_commit, str) else str(box.harness_commit),
        sealed_at=world.clock.wall(),
        unsandboxed=unsandboxed,
        house=house_lines(),
    )


def read_box(world: World, terms: SandboxTerms, folder: Path) -> Box:
    """The machine. The toolchain of a container is its image's, whatever this machine has under the same path."""
    box = world.box.read(folder, terms.python)
    if not terms.image:
        return box
    within = NotMeasured("it is inside the image")
    return replace(box, toolchain_python=within, toolchain_digest=f"image {terms.image.rpartition('@')[2]}")


def plan_of(envelope: Envelope, found: FoundPack, where: str = "envelope") -> Plan:
    """The draws that a complete envelope promises over a pack."""
    require_complete(envelope, where)
    repeats = envelope.budget.repeats
    assert isinstance(repeats, int)  # complete
    return make_plan(found.pack.tasks, repeats, envelope.run.order_seed, envelope.run.warmup_tasks)


def seal_run(
    envelope: Envelope,
    arm: Arm,
    found: FoundPack,
    baseline: Baseline,
    around: Sealing,
    where: str = "envelope",
    lineage: Lineage = FIRST,
) -> Seal:
    """The seal of one arm, held against the previous one of its lineage.

    Refuses what is incomplete, a pack that moved or expired, and a baseline of other conditions.
    """
    plan = plan_of(envelope, found, where)
    require_locked(found)
    refuse_expired(found, around.sealed_at)
    _refuse_baseline(baseline, around)
    require_reachable(envelope, found.pack.tasks, where)
    made = sealed_after(make_seal(envelope, arm, found, plan, baseline, around, where), lineage)
    return replace(made, pack_audit=audit_line(Path(found.root), made.pack_digest, around.grader_sha))


def write_seal(path: Path, seal: Seal) -> None:
    """Write seal.json once. A sealed file is never edited: a change is a new seal and a new run."""
    try:
        write_file(path, canonical(seal) + b"\n", replace=False)
    except FileExistsError:
        raise InputError("a sealed file is never edited", where=str(path), fix="use another run id") from None


def read_seal(path: Path) -> Seal:
    """Read a seal; `read_sealed` also gives its digest."""
    return read_sealed(path)[0]


def read_sealed(path: Path) -> tuple[Seal, str]:
    """Read a seal, with the digest of its bytes. Refuses one that is not in canonical form: a person edited it.

    A field that its version did not know yet is absent in an older seal and has its default here, so the digest is never
    that of what was read. An edit in canonical form has another digest than the run was started under, which the journal names.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix="denominator seal") from None
    document = loads(data, str(path))
    seal = from_json(Seal, document, str(path))
    stored = data.rstrip(b"\n")
    if stored != canonical(document):
        raise InputError("was edited after sealing", where=str(path), fix="seal again under another run id")
    return seal, sha256_bytes(stored)


def _refuse_baseline(baseline: Baseline, around: Sealing) -> None:
    found = []
    if why := stale(baseline, around.sealed_at):
        found.append(Problem("baseline", why))
    if baseline.box_digest != box_digest(around.box):
        found.append(Problem("baseline box", "it was taken on another box"))
    if baseline.grader_sha != around.grader_sha:
        found.append(Problem("baseline grader", "another grader took it"))
    if found:
        raise InputError("the baseline cannot be used", where="baseline", problems=found, fix="take a new one")
