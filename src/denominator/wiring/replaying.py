"""`replay` as calls in order: a finished run, the same seal byte for byte, a folder of its own, the same engine."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from denominator.adapters.store.blobs import FolderBlobs
from denominator.errors import InputError
from denominator.packs import copy_pack, refuse_expired
from denominator.pipeline.probed import doubts
from denominator.pipeline.replaying import FILE, ReplayNote, refuse_other_box, refuse_unready
from denominator.pipeline.results import is_scratch
from denominator.pipeline.rules import rules_digest
from denominator.pipeline.sealing import read_box, read_seal
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Reporter
from denominator.run.layout import RunFolder
from denominator.wire.canonical import canonical
from denominator.wire.durable import sync_folder, write_file
from denominator.wiring.journals import begin_store
from denominator.wiring.opening import SCRIPT_MARK, find_run, look_into
from denominator.wiring.reaching import require_reached
from denominator.wiring.running import carry_on, stop_on_signals
from denominator.wiring.running_cli import Options, Outcome, expect
from denominator.wiring.starting import check_resumable, pack_of_run, ready, refuse_used
from denominator.wiring.world import a_world

MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What `replay` was asked: which run, under which new id ("" makes one), and why within a day if so."""

    run: str
    run_id: str = ""
    early_why: str = ""


def replay_run(asked: Asked, options: Options, reporter: Reporter) -> Outcome:
    """Run every declared draw of a finished run again under its own seal."""
    folder = find_run(asked.run, options.runs_dir)
    seal = read_seal(folder.seal)
    hidden = (options.runs_dir, folder.root.parent)
    with (
        stop_on_signals() as stop,
        a_world(seal.envelope.sandbox, reporter, unsandboxed=seal.unsandboxed, hidden=hidden) as world,
    ):
        require_reached([(seal.arm, seal.envelope)])
        for text in doubts(seal):
            reporter.line(text)
        new = begin_replay(world, folder, asked)
        run = ready(world, new)
        baseline = check_resumable(world, run, pack_of_run(run))
        expect(reporter, [run])
        done, results = carry_on(replace(world, argv=options.argv), [run], baseline, stop)
        return done, [run], results


def begin_replay(world: World, folder: RunFolder, asked: Asked) -> RunFolder:
    """Check that it can be replayed, and make the folder of the replay. Nothing is written unless all holds."""
    first = look_into(folder)
    try:
        refuse_scratch(first)
        refuse_unready(first, world.clock.wall(), asked.early_why)
        check_resumable(world, first, pack_of_run(first))
        refuse_expired(pack_of_run(first), world.clock.wall())
        refuse_other_rules(first)
        refuse_other_box(first, read_box(world, first.seal.envelope.sandbox, folder.root.parent))
    finally:
        first.journal.close()
    run_id = asked.run_id or _free_id(folder)
    refuse_used(run_id, folder.root.parent)
    half = RunFolder(folder.root.parent / f".new-{uuid4().hex}")
    half.root.mkdir()
    try:
        _copy_seal(folder, half)
        write_file(half.baseline, folder.baseline.read_bytes())
        note = ReplayNote(of=folder.root.name, seal=first.seal_digest, early_why=asked.early_why)
        write_file(half.root / FILE, canonical(note) + b"\n")
        copy_pack(folder.pack, half.pack)
        begin_store(half, run_id, world.clock, world.failpoints)
        half.root.rename(folder.root.parent / run_id)
    except BaseException:
        shutil.rmtree(half.root, ignore_errors=True)
        raise
    sync_folder(folder.root.parent)
    return RunFolder(folder.root.parent / run_id)


def refuse_scratch(run: OpenRun) -> None:
    """A scratch run is never counted, so there is nothing to repeat."""
    if is_scratch(run.run_id):
        raise InputError("a scratch run is never counted", where=run.run_id, fix="denominator run, without --only")


def refuse_other_rules(run: OpenRun) -> None:
    """Judged by other rules than were sealed, the two would differ by the rules."""
    if rules_digest() != run.seal.rules_digest:
        what = f"the rule set moved since: sealed {run.seal.rules_digest[:12]}, here {rules_digest()[:12]}"
        raise InputError(what, where=str(run.folder.seal), fix="replay with the version that sealed it")


def _copy_seal(old: RunFolder, new: RunFolder) -> None:
    """The seal byte for byte, and the script that it names."""
    write_file(new.seal, old.seal.read_bytes(), replace=False)
    new.blobs.mkdir()
    script = read_seal(old.seal).arm.script
    if script.startswith(SCRIPT_MARK):
        FolderBlobs(new.blobs).put(FolderBlobs(old.blobs).get(script.removeprefix(SCRIPT_MARK)))


def _free_id(folder: RunFolder) -> str:
    """The first unused `RUN-replay-N`."""
    names = (f"{folder.root.name}-replay-{number}" for number in range(1, MOST))
    return next(name for name in names if not Path(folder.root.parent / name).exists())
