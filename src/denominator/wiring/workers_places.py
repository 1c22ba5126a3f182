"""A run as a worker process opens it: where it lies, a scratch of its own, and whether this machine may work on it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from denominator.adapters.clock import SystemClock
from denominator.errors import MachineError, Problem
from denominator.pipeline.replaying import BOX_FIELDS
from denominator.pipeline.sealing import read_seal
from denominator.pipeline.world import OpenRun, World
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.run.layout import RunFolder
from denominator.wiring.arms import sealed_mounts
from denominator.wiring.opening import open_run
from denominator.wiring.reaching import require_reached
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
    """How workers on this machine find a run: by its folder."""
    return json.dumps({"folder": str(run.folder.root.absolute())})


@contextmanager
def opened(reference: str) -> Iterator[tuple[World, OpenRun]]:
    """The run that a reference names, in a world of this process, with a scratch that is gone afterwards."""
    said = json.loads(reference)
    with _in_folder(Path(said["folder"])) as ready:
        yield ready


@contextmanager
def _in_folder(root: Path) -> Iterator[tuple[World, OpenRun]]:
    """A run of this machine: its folder is read, and attempts are made in a scratch below its `work`."""
    name = uuid4().hex[:12]
    folder = RunFolder(root, scratch=root / "work" / f"worker-{name}")
    assert folder.scratch is not None
    folder.scratch.mkdir(parents=True)
    with _working(folder, f"{socket.gethostname()}/{name}", hidden=root.parent) as ready:
        yield ready


@contextmanager
def _working(folder: RunFolder, place: str, *, hidden: Path) -> Iterator[tuple[World, OpenRun]]:
    seal = read_seal(folder.seal)
    assert folder.scratch is not None
    with a_world(seal.envelope.sandbox, Silent(), unsandboxed=seal.unsandboxed, hidden=(hidden,)) as world:
        run = with_relay(replace(open_run(folder, SystemClock(), world.failpoints), place=place), world.failpoints)
        try:
            refuse_misfit(world, run)
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
