"""The default sandbox: bubblewrap, an unprivileged uid, a system call filter and control groups.

As root each (slot, role) has a uid of its own and setpriv drops to it; as an ordinary user a user namespace is
built and closed behind the command. `enter` (once, early, before any thread) gives sized workspaces; without it
disk use is measured. `run` must be called from a thread that lives on: the kernel ties "die with the parent" to
the thread that started the sandbox.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

from denominator.adapters.sandboxes import facts as fact_finding
from denominator.adapters.sandboxes import kernel, seccomp
from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.endings import ended, never_ran, start
from denominator.adapters.sandboxes.layout import Machine, job_problems, toolchain_folders
from denominator.adapters.sandboxes.owned import Owned
from denominator.adapters.sandboxes.prepare import Weakened, prepare
from denominator.adapters.sandboxes.spawn import spawn
from denominator.adapters.sandboxes.supervise import Watch
from denominator.errors import MachineError
from denominator.ports import Ended, Job, Stop
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms

__all__ = ["Bubblewrap"]


class Bubblewrap(Owned):
    """Runs hostile commands under bubblewrap.

    `python` and `site` are the declared toolchain: what of it lies outside /usr is shown read-only at the same
    path. `hidden` are host folders that must never be seen, even below a shown folder (packs, runs, keys); the
    installed package is always one.
    """

    name = "bubblewrap"

    def __init__(
        self,
        *,
        python: str = "/usr/bin/python3",
        site: str = "",
        hidden: Sequence[Path] = (),
        uid_base: int = 61000,
        bwrap: str = "bwrap",
        weakened: Weakened | None = None,
    ) -> None:
        super().__init__(uid_base)
        self.machine = Machine(as_user=self.as_user, toolchain=toolchain_folders(python, site), hidden=tuple(hidden))
        self.private_why = "enter() was not called"
        self.bwrap = shutil.which(bwrap) or ""
        self.weakened = weakened or Weakened()
        self.arch = self.weakened.filter(seccomp.arch())
        self._cgroups: Cgroups | None = None
        self._lock = threading.Lock()

    def enter(self) -> str:
        """Private mounts, for sized workspaces; returns "" or why not. Call once, before any thread starts."""
        self.private_why = kernel.enter_private_mounts()
        self.workspaces.private = not self.private_why
        return self.private_why

    @property
    def cgroups(self) -> Cgroups:
        """The control groups of this machine; looked at, and swept, at the first use."""
        with self._lock:
            if self._cgroups is None:
                self._cgroups = Cgroups() if self.weakened.cgroups else Cgroups.detect()
                self._cgroups.sweep()
            return self._cgroups

    def find(self, terms: SandboxTerms) -> SandboxFacts:
        """What holds here, tried now."""
        return fact_finding.find(self, terms)

    def close(self) -> None:
        """Discard mounted workspaces, sweep and remove our control groups. No `run` may be under way."""
        self.workspaces.close()
        self.cgroups.sweep()
        self.cgroups.close()

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        """Run one command to its end; when this returns, every process of the sandbox is dead."""
        job_problems(job)
        if not self.bwrap:
            raise MachineError(
                "bubblewrap is not installed", fix="install the package `bubblewrap`, then `denominator doctor`"
            )
        with contextlib.ExitStack() as undo:
            group = self.cgroups.group(job.limits.memory_bytes, job.limits.processes)
            if group:
                undo.callback(group.remove)
            try:
                ready = prepare(job, self, group, undo)
                spawned = spawn(ready.order, ready.passed)
            except OSError as error:
                raise MachineError(f"a sandbox cannot be prepared: {error}", fix="`denominator doctor`") from error
            undo.callback(spawned.close)
            watch = Watch(
                spawned=spawned,
                limits=job.limits,
                group=group,
                stop=stop,
                over_disk=ready.over_disk,
                stdin=job.stdin,
            )
            if not start(watch):
                return never_ran(watch, ready.enforced)
            watch.run()
            return ended(watch, ready.enforced)
