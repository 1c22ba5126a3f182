"""A run as a worker process opens it: where it lies, a scratch of its own, and whether this machine may work on it."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.adapters.store.dsn import parse_dsn
from denominator.errors import MachineError, OpenPromisesError, Problem
from denominator.pipeline.replaying import BOX_FIELDS
from denominator.pipeline.sealing import read_seal
from denominator.pipeline.world import OpenRun, World
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.run.layout import RunFolder
from denominator.wire.durable import alone_in
from denominator.wiring.arms import sealed_mounts
from denominator.wiring.journals import open_server, place_of
from denominator.wiring.opening import open_run
from denominator.wiring.reaching import require_reached
from denominator.wiring.workers_bundle import pack_up, unpack
from denominator.wiring.world import a_world, with_relay

OF_THE_HOST = ("host", "container_image")
"""What may differ between the machines of one run; everything else of a box is a condition of the numbers."""


class Silent:
    """`ports.Reporter` of a process that nobody watches."""

    def expect(self, attempts: int) -> None:
        """Nothing is shown."""

    def line(self, text: str) -> None:
        """Nothing is shown."""

    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None:
        """Nothing is shown."""


def reference_of(run: OpenRun) -> str:
    """How workers find a run: by its folder on this machine, or by the server that has its journal. Nothing secret."""
    place = place_of(run.folder)
    if place is None:
        return json.dumps({"folder": str(run.folder.root.absolute())})
    return json.dumps({"journal": place.journal, "run_id": run.run_id, "bundle": pack_up(run)})


def own_name() -> str:
    """A name that no other worker process has, with its number for people."""
    return f"{os.getpid()}-{uuid4().hex[:8]}"


@contextmanager
def opened(reference: str) -> Iterator[tuple[World, OpenRun]]:
    """The run that a reference names, in a world of this process, with a scratch that is gone afterwards."""
    said = json.loads(reference)
    where = _in_folder(Path(said["folder"])) if "folder" in said else _from_server(said)
    with where as ready:
        yield ready


@contextmanager
def _in_folder(root: Path) -> Iterator[tuple[World, OpenRun]]:
    """A run of this machine: its folder is read, and attempts are made in a scratch below its `work`."""
    name = own_name()
    folder = RunFolder(root, scratch=root / "work" / f"worker-{name}")
    with _working(folder, name, hidden=root.parent) as ready:
        yield ready  # on this machine the coordinator has looked at the box and the sandbox


@contextmanager
def _from_server(said: Mapping[str, str]) -> Iterator[tuple[World, OpenRun]]:
    """A run of which this machine has nothing: made anew in a scratch of this process from what the server has."""
    name = own_name()
    with own_scratch(name) as base:
        folder = RunFolder(base / said["run_id"], scratch=base / "work")
        folder.root.mkdir()
        _fetch(said, folder.root)
        with _working(folder, name, hidden=base) as (world, run):
            refuse_misfit(world, run)
            yield world, run


def _fetch(said: Mapping[str, str], root: Path) -> None:
    """What the run's folder holds at home, from the server."""
    with _to_be_tried_again():
        journal, blobs = open_server(parse_dsn(said["journal"]), said["run_id"], SystemClock(), NoFailpoints())
    try:
        unpack(blobs, said["bundle"], root)
    finally:
        journal.close()


@contextmanager
def _to_be_tried_again() -> Iterator[None]:
    """A server that cannot be reached just now is not the end of the run: promises stay open, somebody tries again."""
    try:
        yield
    except MachineError as error:
        raise OpenPromisesError(error.what, where=error.where, fix=error.fix) from None


@contextmanager
def own_scratch(name: str) -> Iterator[Path]:
    """A folder of this process below DENOMINATOR_SCRATCH (default: the system's temporary folder), gone with it.

    It is locked while its process lives: what dead ones left is removed by the next.
    """
    base = Path(os.environ.get("DENOMINATOR_SCRATCH") or tempfile.gettempdir()) / f"denominator-workers-{os.getuid()}"
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    if base.is_symlink() or base.stat().st_uid != os.getuid():
        raise MachineError("is not ours", where=str(base), fix="name another folder in DENOMINATOR_SCRATCH")
    with ExitStack() as held:
        with alone_in(base):
            for left in base.iterdir():
                with _locked(left) as mine:
                    if mine:
                        remove_tree(left)
            folder = base / name
            folder.mkdir(mode=0o700)
            held.enter_context(_locked(folder))
        held.callback(remove_tree, folder)
        yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold a folder; False when a living process does."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    finally:
        os.close(fd)


@contextmanager
def _working(folder: RunFolder, name: str, *, hidden: Path) -> Iterator[tuple[World, OpenRun]]:
    seal = read_seal(folder.seal)
    assert folder.scratch is not None
    folder.scratch.mkdir(parents=True)
    place = f"{socket.gethostname()}/{name}"
    with a_world(seal.envelope.sandbox, Silent(), unsandboxed=seal.unsandboxed, hidden=(hidden,)) as world:
        with _to_be_tried_again():
            run = open_run(folder, SystemClock(), world.failpoints)
        run = with_relay(replace(run, place=place), world.failpoints)
        try:
            require_reached([(seal.arm, seal.envelope)])
            yield world, run
        finally:
            if run.relay is not None:
                run.relay.shutdown()
            run.journal.close()
            with suppress(OSError):
                world.sandbox.discard(folder.scratch)


def refuse_misfit(world: World, run: OpenRun) -> None:
    """A machine that is not of the kind that was sealed makes other numbers. Raises MachineError with every difference."""
    seal = run.seal
    found = []
    if world.grader.digest() != seal.grader_sha:
        found.append(Problem("grader", "is another one than was sealed", "install the same version"))
    facts = world.sandbox.facts(seal.envelope.sandbox)
    if not facts.usable and not seal.unsandboxed:
        found.append(Problem("sandbox", facts.why_not, "denominator doctor"))
    box = world.box.read(run.folder.root, seal.envelope.sandbox.python)
    for name in BOX_FIELDS:
        if name not in OF_THE_HOST and getattr(box, name) != getattr(seal.box, name):
            found.append(Problem(name, f"is {getattr(box, name)}, sealed was {getattr(seal.box, name)}"))
    if seal.mounts and sealed_mounts(seal.arm) != seal.mounts:
        found.append(Problem("mounts", "what the agent sees of this machine is not what was sealed"))
    if found:
        raise MachineError(
            f"the worker on {socket.gethostname()} is not of the kind that was sealed",
            problems=found,
            fix="give every worker the same machine and software, then denominator resume",
        )
