"""The default sandbox: bubblewrap, an unprivileged uid, a system call filter and control groups.

As root each (slot, role) has a uid of its own and setpriv drops to it; as an ordinary user a user namespace is
built and closed behind the command. `enter` (once, early, before any thread) gives sized workspaces; without it
disk use is measured. `run` must be called from a thread that lives on: the kernel ties "die with the parent" to
the thread that started the sandbox.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

from denominator.adapters.sandboxes import facts as fact_finding
from denominator.adapters.sandboxes import kernel, seccomp
from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.endings import ended, never_ran, start
from denominator.adapters.sandboxes.layout import Machine, job_problems, toolchain_folders
from denominator.adapters.sandboxes.prepare import Weakened, prepare
from denominator.adapters.sandboxes.removal import give
from denominator.adapters.sandboxes.spawn import spawn
from denominator.adapters.sandboxes.supervise import Watch
from denominator.adapters.sandboxes.workspaces import Workspaces
from denominator.errors import MachineError
from denominator.ports import Ended, Job, Stop
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms

__all__ = ["Bubblewrap"]


class Bubblewrap:
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
        self.as_user = os.geteuid() != 0
        self.machine = Machine(as_user=self.as_user, toolchain=toolchain_folders(python, site), hidden=tuple(hidden))
        self.workspaces = Workspaces()
        self.private_why = "enter() was not called"
        self.bwrap = shutil.which(bwrap) or ""
        self.weakened = weakened or Weakened()
        self.arch = None if self.weakened.seccomp else seccomp.arch()
        self._uid_base = uid_base
        self._cgroups: Cgroups | None = None
        self._facts: dict[SandboxTerms, SandboxFacts] = {}
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

    def ids(self, role: str, slot: int) -> tuple[int, int]:
        """The uid and gid of a role of a slot; an ordinary user has only its own."""
        if self.as_user:
            return os.getuid(), os.getgid()
        uid = self._uid_base + 2 * slot + (role == "grader")
        return uid, uid

    def _owner(self, role: str, slot: int) -> tuple[int, int] | None:
        return None if self.as_user else self.ids(role, slot)

    def facts(self, terms: SandboxTerms) -> SandboxFacts:
        """Tried on this machine, once for each set of terms."""
        if terms not in self._facts:
            self._facts[terms] = fact_finding.find(self, terms)
        return self._facts[terms]

    def workspace(self, folder: Path, *, role: str, slot: int, disk_bytes: int) -> Path:
        """An empty folder (its parent exists) of at most `disk_bytes` where `enter` succeeded."""
        return self.workspaces.make(folder, self._owner(role, slot), disk_bytes)

    def hand_over(self, folder: Path, *, role: str, slot: int) -> None:
        """Make `folder` and all in it the property of the role's uid."""
        owner = self._owner(role, slot)
        if owner:
            give(folder, *owner)

    def discard(self, folder: Path) -> None:
        """Remove a workspace and whatever was left in it."""
        self.workspaces.discard(folder)

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
