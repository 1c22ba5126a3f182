"""May this machine work on a run? A rate over two kinds of machines is a rate of nothing."""

from __future__ import annotations

from denominator.errors import MachineError, Problem
from denominator.pipeline.replaying import BOX_FIELDS
from denominator.pipeline.sealing import read_box
from denominator.pipeline.world import OpenRun, World
from denominator.wiring.arms import sealed_mounts

OF_THE_HOST = ("host", "container_image")
"""What may differ between the machines of one run; everything else of a box is a condition of the numbers."""


def refuse_misfit(world: World, run: OpenRun) -> None:
    """A machine that is not of the kind that was sealed makes other numbers. Raises MachineError with every difference."""
    seal = run.seal
    found = []
    if world.grader.digest() != seal.grader_sha:
        found.append(Problem("grader", "is another one than was sealed", "install the same version"))
    facts = world.sandbox.facts(seal.envelope.sandbox)
    if not facts.usable and not seal.unsandboxed:
        found.append(Problem("sandbox", facts.why_not, "denominator doctor"))
    box = read_box(world, seal.envelope.sandbox, run.folder.root)
    for name in BOX_FIELDS:
        if name not in OF_THE_HOST and getattr(box, name) != getattr(seal.box, name):
            found.append(Problem(name, f"is {getattr(box, name)}, sealed was {getattr(seal.box, name)}"))
    if seal.mounts and sealed_mounts(seal.arm) != seal.mounts:
        found.append(Problem("mounts", "what the agent sees of this machine is not what was sealed"))
    if found:
        raise MachineError(
            "this worker's machine is not of the kind that was sealed",
            problems=found,
            fix="give every worker the same machine and software, then denominator resume",
        )
