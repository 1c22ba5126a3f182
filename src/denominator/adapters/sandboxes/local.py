"""What the backends share whose commands are processes of this machine: a toolchain that is shown, control groups of our own."""

from __future__ import annotations

import contextlib
import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.endings import ended, never_ran, start
from denominator.adapters.sandboxes.layout import Machine, job_problems, toolchain_folders
from denominator.adapters.sandboxes.owned import Owned
from denominator.adapters.sandboxes.spawn import Spawned
from denominator.adapters.sandboxes.supervise import Watch
from denominator.errors import MachineError
from denominator.ports import Ended, Job, Stop

__all__ = ["Begun", "Local"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A spawned sandbox that waits to be started, and what is enforced on it, limit by limit.

    `over_disk` says whether it has more on disk than it may; None where a mount has the size.
    """

    spawned: Spawned
    enforced: Mapping[str, str]
    over_disk: Callable[[], bool] | None
    stdin: bytes


class Local(Owned):
    """Runs commands as processes of this machine, each in a control group of its own where we may make any."""

    def __init__(self, uid_base: int, python: str, site: str, hidden: Sequence[Path]) -> None:
        super().__init__(uid_base)
        self.machine = Machine(as_user=self.as_user, toolchain=toolchain_folders(python, site), hidden=tuple(hidden))
        self._cgroups: Cgroups | None = None
        self._lock = threading.Lock()

    @property
    def cgroups(self) -> Cgroups:
        """The control groups of this machine; looked at, and swept, at the first use."""
        with self._lock:
            if self._cgroups is None:
                self._cgroups = self._detect()
                self._cgroups.sweep()
            return self._cgroups

    def _detect(self) -> Cgroups:
        return Cgroups.detect()

    @abstractmethod
    def check(self) -> None:
        """Raises MachineError where nothing can be run here at all."""

    @abstractmethod
    def begin(self, job: Job, group: Group | None, undo: contextlib.ExitStack) -> Begun:
        """Prepare and spawn; what is to be taken back goes to `undo`. May raise OSError."""

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        """Run one command to its end; when this returns, every process of the sandbox is dead."""
        job_problems(job)
        self.check()
        with contextlib.ExitStack() as undo:
            group = self.cgroups.group(job.limits.memory_bytes, job.limits.processes)
            if group:
                undo.callback(group.remove)
            try:
                begun = self.begin(job, group, undo)
            except OSError as error:
                raise MachineError(f"a sandbox cannot be prepared: {error}", fix="`denominator doctor`") from error
            undo.callback(begun.spawned.close)
            watch = Watch(
                spawned=begun.spawned,
                limits=job.limits,
                group=group,
                stop=stop,
                over_disk=begun.over_disk,
                stdin=begun.stdin,
            )
            if not start(watch):
                return never_ran(watch, begun.enforced)
            watch.run()
            return ended(watch, begun.enforced)

    def close(self) -> None:
        """Discard mounted workspaces, sweep and remove our control groups. No `run` may be under way."""
        self.workspaces.close()
        self.cgroups.sweep()
        self.cgroups.close()
