"""The default sandbox: bubblewrap, an unprivileged uid, a system call filter and control groups.

As root each (slot, role) has a uid of its own and setpriv drops to it; as an ordinary user a user namespace is
built and closed behind the command. `enter` (once, early, before any thread) gives sized workspaces; without it
disk use is measured. `run` must be called from a thread that lives on: the kernel ties "die with the parent" to
the thread that started the sandbox.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from denominator.adapters.sandboxes import facts as fact_finding
from denominator.adapters.sandboxes import kernel, seccomp
from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.local import Begun, Local
from denominator.adapters.sandboxes.prepare import Weakened, prepare
from denominator.adapters.sandboxes.spawn import spawn
from denominator.errors import MachineError
from denominator.ports import Job
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms

__all__ = ["Bubblewrap"]


class Bubblewrap(Local):
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
        super().__init__(uid_base, python, site, hidden)
        self.private_why = "enter() was not called"
        self.bwrap = shutil.which(bwrap) or ""
        self.weakened = weakened or Weakened()
        self.arch = self.weakened.filter(seccomp.arch())

    def enter(self) -> str:
        """Private mounts, for sized workspaces; returns "" or why not. Call once, before any thread starts."""
        self.private_why = kernel.enter_private_mounts()
        self.workspaces.private = not self.private_why
        return self.private_why

    def _detect(self) -> Cgroups:
        return Cgroups() if self.weakened.cgroups else super()._detect()

    def find(self, terms: SandboxTerms) -> SandboxFacts:
        """What holds here, tried now."""
        return fact_finding.find(self, terms)

    def check(self) -> None:
        """Raises MachineError without bubblewrap."""
        if not self.bwrap:
            raise MachineError(
                "bubblewrap is not installed", fix="install the package `bubblewrap`, then `denominator doctor`"
            )

    def begin(self, job: Job, group: Group | None, undo: contextlib.ExitStack) -> Begun:
        """A sandbox of bubblewrap that waits for its start."""
        ready = prepare(job, self, group, undo)
        spawned = spawn(ready.order, ready.passed)
        return Begun(spawned=spawned, enforced=ready.enforced, over_disk=ready.over_disk, stdin=job.stdin)
