"""From envelopes to sealed run folders: pack locked, machine fit, baseline of today, seal written, journal begun."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from denominator.adapters.store.blobs import FolderBlobs
from denominator.envelopes import Sealing, require_complete
from denominator.envelopes.gateway import refuse_unknown_tasks
from denominator.errors import InputError, MachineError
from denominator.packs import copy_pack, load_pack, refuse_expired, require_locked
from denominator.pipeline.baseline_store import (
    BaselineKey,
    box_digest,
    load_baseline,
    store_baseline,
    terms_digest,
    usable,
)
from denominator.pipeline.baselines import Bench, take_baseline
from denominator.pipeline.images import locked_images, require_images
from denominator.pipeline.lineage import LAST, Wanted, lineage_of, said_of
from denominator.pipeline.probed import doubts
from denominator.pipeline.reachable import require_reachable
from denominator.pipeline.results import read_baseline, unpromised
from denominator.pipeline.resuming import owed
from denominator.pipeline.run import open_promises
from denominator.pipeline.sealing import look_around, seal_run, write_seal
from denominator.pipeline.soundness import require_sound
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Stop
from denominator.records.envelopes import Arm, Envelope
from denominator.records.packs import Baseline, BaselineRun, FoundPack
from denominator.records.values import NotMeasured
from denominator.run.layout import RunFolder
from denominator.wire.canonical import canonical
from denominator.wire.durable import sync_folder, write_file
from denominator.wire.trees import sync_tree
from denominator.wiring.arms import check_arm, sealed_mounts
from denominator.wiring.cassettes import PLACE, cassette_place, changed_cassette, copy_cassette, sealed_cassette
from denominator.wiring.ids import RUN_ID_MAX, run_id_problem
from denominator.wiring.journals import begin_store, check_server
from denominator.wiring.opening import SCRIPT_MARK, build_agent, open_run
from denominator.wiring.probes import check_probe, sealed_probe
from denominator.wiring.versions import reported_version
from denominator.wiring.world import with_relay

MB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One arm that is to be run: its envelope and where that was read, the run id, its script's text if it has one.

    `journal` is the address of the server that is to have the journal, "" for the run's own folder.
    """

    envelope: Envelope
    arm: Arm
    where: str
    run_id: str
    script_text: str = ""
    lineage: Wanted = LAST
    journal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where runs and kept baselines lie."""

    runs_dir: Path
    cache_dir: Path


def start_runs(
    world: World,
    starts: Sequence[Start],
    found: FoundPack,
    places: Places,
    *,
    unsandboxed: bool = False,
    stop: Stop | None = None,
    keep: bool = False,
    far: bool = False,
) -> tuple[list[OpenRun], Baseline]:
    """Seal every arm (`check_starts` has passed) and open its run. Nothing is written unless all can be sealed.

    `far`: workers elsewhere call the model, so this process needs neither its key nor a gateway.
    """
    refuse_expired(found, world.clock.wall())
    make_folder(places.runs_dir)
    arounds = [look_around(world, start.envelope, places.runs_dir, unsandboxed=unsandboxed) for start in starts]
    for start, around in zip(starts, arounds, strict=True):
        check_machine(start.envelope, around)
    versions = [reported_version(world, start.arm, start.envelope, start.where) for start in starts]
    baseline = shared_baseline(world, starts[0].envelope, found, arounds[0], places, stop)
    # The baseline takes a while; a seal is dated when it is made.
    arounds = [
        replace(
            around,
            sealed_at=world.clock.wall(),
            mounts=sealed_mounts(start.arm),
            agent_reported=version,
            cassette=sealed_cassette(start.envelope, start.where),
            probe=sealed_probe(start.envelope, start.arm, start.where),
        )
        for start, around, version in zip(starts, arounds, versions, strict=True)
    ]
    pairs = zip(starts, arounds, strict=True)
    folders = [write_run(world, start, around, found, baseline, places) for start, around in pairs]
    return [ready(world, folder, keep=keep, far=far) for folder in folders], baseline


def check_starts(starts: Sequence[Start], found: FoundPack, places: Places, *, far: bool = False) -> None:
    """Everything that can be refused without touching the machine: envelopes, run ids, agents, one sandbox, the lock."""
    for start in starts:
        require_complete(start.envelope, start.where)
        require_reachable(start.envelope, found.pack.tasks, start.where)
        require_images(start.envelope, found.pack.tasks, start.where)
        refuse_unknown_tasks(start.envelope, {task.id for task in found.pack.tasks}, start.where)
        sealed_cassette(start.envelope, start.where)
        refuse_used(start.run_id, places.runs_dir)
        check_agent(start)
        check_arm(start.arm, start.envelope, start.where, None if far else os.environ)
        check_probe(start.envelope, start.arm, start.where)
    boxes = [start.envelope.sandbox for start in starts]
    sandboxes = {(box.backend, box.python, box.site, box.image) for box in boxes}
    if len(sandboxes) > 1:
        raise InputError(
            "the arms ask for different sandboxes",
            where="sandbox",
            fix="one window has one backend, python, site and image",
        )
    require_locked(found)
    for journal in {start.journal for start in starts}:
        check_server(journal)


def check_agent(start: Start) -> None:
    """The agent exists and can use its script, which is named as the envelope names it."""
    try:
        build_agent(start.arm, start.envelope.sandbox.python, start.script_text)
    except InputError as error:
        if not start.script_text:
            raise
        name = str(Path(start.where).parent / start.arm.script)
        problems = [replace(p, where=p.where.replace("script.toml", name, 1)) for p in error.problems]
        raise InputError(error.what, where=name, problems=problems, fix=error.fix) from None


def make_folder(runs_dir: Path) -> None:
    """The folder of runs, or why there can be none."""
    try:
        runs_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = "is no folder" if runs_dir.exists() else f"cannot be made ({error.strerror})"
        raise InputError(why, where=str(runs_dir), fix="name the folder of runs with --runs-dir") from None
    if not os.access(runs_dir, os.W_OK | os.X_OK):
        raise InputError("may not be written", where=str(runs_dir), fix="name the folder of runs with --runs-dir")


def refuse_bad_id(run_id: str) -> None:
    """A run id that cannot be typed after a verb as it is."""
    if why := run_id_problem(run_id):
        raise InputError(f"run id {run_id[:RUN_ID_MAX]!r} {why}", fix="use letters, digits, '.', '_' and '-'")


def refuse_used(run_id: str, runs_dir: Path) -> None:
    """A run id that is in use, or that is no good as a folder's name, is refused; files stay as they are."""
    refuse_bad_id(run_id)
    if os.path.lexists(runs_dir / run_id):
        raise InputError(
            f"run id {run_id} is in use; nothing was changed",
            where=str(runs_dir / run_id),
            fix=f"denominator resume {run_id}, or choose another --run-id",
        )


def check_machine(envelope: Envelope, around: Sealing) -> None:
    """Refuse to start where the batch would only describe a broken host."""
    if not around.sandbox.usable and not around.unsandboxed:
        raise MachineError(
            f"the sandbox {around.sandbox.name} does not work here: {around.sandbox.why_not}",
            fix="denominator doctor",
        )
    free = around.box.disk_free_bytes
    least = envelope.run.min_free_disk_mb * MB
    if isinstance(free, NotMeasured) or int(free) < least:
        have = f"{int(free) // MB} MB free" if not isinstance(free, NotMeasured) else str(free)
        raise MachineError(
            f"{have}, the envelope wants {least // MB} MB: the whole batch would be INFRA",
            where="run.min_free_disk_mb",
            fix="free some space, or runs gc",
        )


def shared_baseline(
    world: World, envelope: Envelope, found: FoundPack, around: Sealing, places: Places, stop: Stop | None
) -> Baseline:
    """One baseline for all arms: a kept one or the lock's where it fits, else a new one."""
    concurrency, repeats = envelope.run.concurrency, envelope.run.baseline_repeats
    assert isinstance(concurrency, int)  # complete
    lock = require_locked(found)
    terms = terms_digest(envelope.sandbox)
    key = BaselineKey(lock.digest, box_digest(around.box), concurrency, around.grader_sha, terms)
    now = world.clock.wall()
    kept = load_baseline(places.cache_dir / "baselines", key, now=now, repeats=repeats)
    if isinstance(kept, NotMeasured) and lock.baseline is not None:
        kept = usable(lock.baseline, key, now=now, repeats=repeats)
    if isinstance(kept, Baseline):
        world.reporter.line(f"baseline: kept, taken {kept.taken_at}")
        return kept
    world.reporter.line(f"baseline: agent off, {len(found.pack.tasks)} tasks, base and gold, {repeats} times each")
    bench = Bench(
        grader=world.grader,
        sandbox=world.sandbox,
        clock=world.clock,
        terms=envelope.sandbox,
        stop=stop,
        note=_wrong_only(world.reporter.line),
        images=locked_images(found),
    )
    taken = take_baseline(found, bench, repeats=repeats, concurrency=concurrency, box=around.box)
    lists = (("flaky", taken.flaky), ("not as it must be", taken.wrong), ("without a verdict", taken.ungraded))
    for name, tasks in (*lists, ("pack_expired, gold was green at the lock and is red now", taken.expired)):
        if tasks:
            world.reporter.line(f"baseline: {name}: {', '.join(tasks)}")
    _keep(taken, places.cache_dir / "baselines", world.reporter.line)
    return taken


def _keep(taken: Baseline, folder: Path, line: Callable[[str], None]) -> None:
    """A baseline that cannot be kept is taken again the next time; this run has it."""
    try:
        store_baseline(folder, taken)
    except OSError as error:
        line(f"baseline: not kept for later runs: {folder}: {error.strerror}")


def _wrong_only(line: Callable[[str], None]) -> Callable[[BaselineRun], None]:
    def note(run: BaselineRun) -> None:
        if run.on == "gold" and run.grade != "green":
            line(f"baseline: gold of {run.task_id} is {run.grade}: {run.detail}")

    return note


def write_run(
    world: World, start: Start, around: Sealing, found: FoundPack, baseline: Baseline, places: Places
) -> RunFolder:
    """Make the run's folder under a passing name, journal and all, then give it its own in one rename."""
    half = RunFolder(places.runs_dir / f".new-{uuid4().hex}")
    half.root.mkdir()
    try:
        half.blobs.mkdir()
        arm = sealed_arm(start, half)
        write_file(half.baseline, canonical(baseline) + b"\n")
        lineage = lineage_of(
            places.runs_dir, found.pack.id, str(arm.label), start.lineage, world.reporter.line, start.run_id
        )
        seal = seal_run(start.envelope, arm, found, baseline, around, start.where, lineage)
        for text in (*said_of(seal), *doubts(seal)):
            world.reporter.line(text)
        write_seal(half.seal, seal)
        copy_pack(Path(found.root), half.pack)
        place = cassette_place(start.envelope, start.where)
        if place is not None and around.cassette is not None:
            copy_cassette(place, half.root / PLACE, around.cassette)
        begin_store(half, start.run_id, world.clock, world.failpoints, start.journal)
        # What is not in its place for good before the rename may be empty after a power cut, under a name that promises it.
        sync_tree(half.root)
        refuse_used(start.run_id, places.runs_dir)
        world.failpoints.hit("env.before_rename")
        half.root.rename(places.runs_dir / start.run_id)
        world.failpoints.hit("env.frozen")
    except BaseException:
        shutil.rmtree(half.root, ignore_errors=True)
        raise
    sync_folder(places.runs_dir)
    return RunFolder(places.runs_dir / start.run_id)


def sealed_arm(start: Start, folder: RunFolder) -> Arm:
    """The arm as sealed: a script is named by the digest of its text, which is kept beside."""
    if not start.script_text:
        return start.arm
    sha = FolderBlobs(folder.blobs).put(start.script_text.encode())
    return replace(start.arm, script=SCRIPT_MARK + sha)


def ready(world: World, folder: RunFolder, *, keep: bool = False, far: bool = False) -> OpenRun:
    """Open a run and give it the relay that its seal asks for, unless its calls are made elsewhere."""
    run = open_run(folder, world.clock, world.failpoints, keep=keep)
    return run if far else with_relay(run, world.failpoints)


def pack_of_run(run: OpenRun) -> FoundPack:
    """The copy of the pack that every run keeps."""
    try:
        return load_pack(run.pack_root)
    except InputError as error:
        what = f"the run's own copy of its pack cannot be read: {error.what}"
        raise InputError(what, where=str(run.pack_root), problems=error.problems, fix="start a new run") from None


def check_resumable(world: World, run: OpenRun, found: FoundPack) -> Baseline:
    """What was sealed must still hold, or the run cannot go on: a change is a new seal and a new run."""
    require_sound(run)
    lock = require_locked(found)
    left = open_promises(run) or unpromised(run) or owed(run)
    if left:
        refuse_expired(found, world.clock.wall())
    changed = []
    if lock.digest != run.seal.pack_digest:
        changed.append(f"the pack is {lock.digest[:12]}, sealed was {run.seal.pack_digest[:12]}")
    if world.grader.digest() != run.seal.grader_sha:
        changed.append("the grader is another one than was sealed")
    if run.seal.mounts and left and sealed_mounts(run.seal.arm) != run.seal.mounts:
        changed.append("what the agent sees of this machine (its mounts) is not what was sealed")
    if run.seal.cassette is not None and left:
        changed += [why for why in [changed_cassette(run.folder.root, run.seal.cassette)] if why]
    if changed:
        raise InputError("; ".join(changed), where=str(run.folder.root), fix="start a new run")
    baseline = read_baseline(run.folder.baseline)
    if baseline is None:
        raise InputError("the baseline of the run is gone", where=str(run.folder.baseline), fix="start a new run")
    return baseline


__all__ = ["Places", "Start", "check_resumable", "check_starts", "ready", "start_runs"]
