"""The weak backend: no namespace, no mount, no root. What keeps a command in is Landlock and a filter; limits are per process.

It is for machines where nothing better may be had. Its facts say `weak`, and what ran in it is capped at counts.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path

from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.endings import ended, never_ran, start
from denominator.adapters.sandboxes.landlock import calls
from denominator.adapters.sandboxes.landlock import facts as fact_finding
from denominator.adapters.sandboxes.landlock.preparing import prepare, writable
from denominator.adapters.sandboxes.layout import Machine, job_problems, toolchain_folders
from denominator.adapters.sandboxes.owned import Owned
from denominator.adapters.sandboxes.removal import disk_use, remove_tree
from denominator.adapters.sandboxes.spawn import spawn
from denominator.adapters.sandboxes.supervise import Watch
from denominator.errors import MachineError
from denominator.ports import Ended, Job, Stop
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.wire.scratch import scratch_folder

__all__ = ["Landlock"]


class Landlock(Owned):
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
        super().__init__(uid_base)
        self.machine = Machine(as_user=self.as_user, toolchain=toolchain_folders(python, site), hidden=tuple(hidden))
        self.abi = calls.abi() if abi is None else abi
        self._cgroups: Cgroups | None = None
        self._lock = threading.Lock()

    @property
    def cgroups(self) -> Cgroups:
        """The control groups of this machine, where we may make any; looked at, and swept, at the first use."""
        with self._lock:
            if self._cgroups is None:
                self._cgroups = Cgroups.detect()
                self._cgroups.sweep()
            return self._cgroups

    def find(self, terms: SandboxTerms) -> SandboxFacts:
        """What holds here, tried now."""
        return fact_finding.find(self, terms)

    def close(self) -> None:
        """Sweep and remove our control groups. No `run` may be under way."""
        self.workspaces.close()
        self.cgroups.sweep()
        self.cgroups.close()

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        """Run one command to its end; when this returns, every process that descends from it is dead."""
        job_problems(job)
        if self.abi < calls.LEAST_ABI:
            raise MachineError(fact_finding.too_old(self.abi), fix="denominator doctor --sandbox landlock")
        with contextlib.ExitStack() as undo:
            group = self.cgroups.group(job.limits.memory_bytes, job.limits.processes)
            if group:
                undo.callback(group.remove)
            try:
                scratch = undo.enter_context(scratch_folder("landlock", remove_tree))
                ready = prepare(job, self, group, scratch, undo)
                spawned = spawn(ready.order, ready.passed, ready.lifeline)
            except OSError as error:
                raise MachineError(f"a sandbox cannot be prepared: {error}", fix="`denominator doctor`") from error
            undo.callback(spawned.close)
            measured, limit = writable(job, scratch), job.limits.disk_bytes
            watch = Watch(
                spawned=spawned,
                limits=job.limits,
                group=group,
                stop=stop,
                over_disk=lambda: disk_use(measured, limit) > limit,
                stdin=ready.order.stdin,
            )
            if not start(watch):
                return never_ran(watch, ready.enforced)
            watch.run()
            return ended(watch, ready.enforced)
