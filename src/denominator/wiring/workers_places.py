"""A run as a worker process opens it: where it lies, a scratch of its own, and whether this machine may work on it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.dsn import parse_dsn
from denominator.errors import MachineError, OpenPromisesError
from denominator.pipeline.sealing import read_seal
from denominator.pipeline.world import OpenRun, World
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.run.layout import RunFolder
from denominator.wiring.journals import open_server, place_of
from denominator.wiring.opening import open_run
from denominator.wiring.reaching import require_reached
from denominator.wiring.workers_bundle import pack_up, unpack
from denominator.wiring.workers_fit import refuse_misfit
from denominator.wiring.workers_scratch import own_name, own_scratch
from denominator.wiring.world import a_world, with_relay


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
