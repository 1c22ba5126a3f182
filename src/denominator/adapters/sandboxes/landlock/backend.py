"""The weak backend: no namespace, no mount, no root. What keeps a command in is Landlock and a filter; limits are per process.

It is for machines where nothing better may be had. Its facts say `weak`, and what ran in it is capped at counts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.landlock import calls
from denominator.adapters.sandboxes.landlock import facts as fact_finding
from denominator.adapters.sandboxes.landlock.preparing import prepare, writable
from denominator.adapters.sandboxes.local import Begun, Local
from denominator.adapters.sandboxes.removal import disk_use, remove_tree
from denominator.adapters.sandboxes.spawn import spawn
from denominator.errors import MachineError
from denominator.ports import Job
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.wire.scratch import scratch_folder

__all__ = ["Landlock"]


class Landlock(Local):
    """Runs hostile commands in a Landlock domain.

    `python` and `site` are the declared toolchain. `hidden` are host folders whose content is never given, even below a given
    folder; the installed package is always one. `abi` stands in for the version of Landlock of this kernel, in tests.
    """

    name = "landlock"

    def __init__(
        self,
        *,
        python: str = "/usr/bin/python3",
        site: str = "",
        hidden: Sequence[Path] = (),
        uid_base: int = 61000,
        abi: int | None = None,
    ) -> None:
        super().__init__(uid_base, python, site, hidden)
        self.abi = calls.abi() if abi is None else abi

    def find(self, terms: SandboxTerms) -> SandboxFacts:
        """What holds here, tried now."""
        return fact_finding.find(self, terms)

    def check(self) -> None:
        """Raises MachineError where the Landlock of the kernel is too old."""
        if self.abi < calls.LEAST_ABI:
            raise MachineError(fact_finding.too_old(self.abi), fix="denominator doctor --sandbox landlock")

    def begin(self, job: Job, group: Group | None, undo: contextlib.ExitStack) -> Begun:
        """A supervisor that waits to start its command."""
        scratch = undo.enter_context(scratch_folder("landlock", remove_tree))
        ready = prepare(job, self, group, scratch, undo)
        spawned = spawn(ready.order, ready.passed, ready.lifeline)
        measured, limit = writable(job, scratch), job.limits.disk_bytes
        return Begun(
            spawned=spawned,
            enforced=ready.enforced,
            over_disk=lambda: disk_use(measured, limit) > limit,
            stdin=ready.order.stdin,
        )
