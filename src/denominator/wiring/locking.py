"""`pack lock` on this machine: the real sandbox and grader."""

from __future__ import annotations

import os
from pathlib import Path

from denominator.errors import InputError, MachineError
from denominator.packs import find_pack
from denominator.pipeline.baselines import DEFAULT_TERMS, Bench
from denominator.pipeline.packs import Locked, lock_pack
from denominator.ports import Reporter
from denominator.wiring.running import stop_on_signals
from denominator.wiring.world import a_world


def lock_here(pack_name: str, repeats: int, concurrency: int, reporter: Reporter) -> Locked:
    """Lock a pack, grading its base and gold trees in the sandbox."""
    root = Path(find_pack(pack_name))
    if not os.access(root, os.W_OK | os.X_OK):
        raise InputError("may not be written, so it cannot be locked", where=str(root), fix="copy the pack")
    with stop_on_signals() as stop, a_world(DEFAULT_TERMS, reporter, hidden=(root,)) as world:
        facts = world.sandbox.facts(DEFAULT_TERMS)
        if not facts.usable:
            raise MachineError(f"the sandbox does not work here: {facts.why_not}", fix="denominator doctor")
        bench = Bench(grader=world.grader, sandbox=world.sandbox, clock=world.clock, stop=stop)
        box = world.box.read(root, DEFAULT_TERMS.python)
        return lock_pack(root, bench, box=box, repeats=repeats, concurrency=concurrency)
