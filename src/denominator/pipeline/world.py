"""What a verb gets from `wiring`: every port it may use, and the run it works on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.ports import (
    Agent,
    Blobs,
    BoxReader,
    Clock,
    Failpoints,
    Grader,
    Journal,
    ModelRelay,
    Reporter,
    Sandbox,
    SpendGuard,
)
from denominator.records.packs import LockedTask, Task
from denominator.records.seals import Seal
from denominator.run.layout import RunFolder
from denominator.wire.names import safe_name
from denominator.wire.secrets import NONE as NO_SECRETS
from denominator.wire.secrets import Secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The machine's side, shared by all runs of one process. `argv` is what was typed to start it, fit to be kept."""

    clock: Clock
    sandbox: Sandbox
    grader: Grader
    box: BoxReader
    failpoints: Failpoints
    reporter: Reporter
    argv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """One run under its seal: journal, blobs, agent, and where its pack lies. `replays` opens the runs that repeat it.

    `place` names the scratch that attempts use: "" is the run's own folder, a worker's scratch has a name of its own.
    `secrets` are those of this process, which may not leave with what the run left.
    """

    run_id: str
    seal: Seal
    seal_digest: str
    folder: RunFolder
    pack_root: Path
    journal: Journal
    blobs: Blobs
    agent: Agent
    relay: ModelRelay | None = None
    guard: SpendGuard | None = None
    keep: bool = False
    probe: bool = False
    place: str = ""
    secrets: Secrets = NO_SECRETS
    replays: Callable[[], Iterable[OpenRun]] = tuple

    def sealed(self, task_id: str) -> tuple[Task, LockedTask]:
        """A task and its digests, as sealed."""
        return self._by_id()[task_id]

    def task_folder(self, task_id: str) -> Path:
        """Where the pack keeps a task."""
        return self.pack_root / "tasks" / safe_name(task_id)

    def _by_id(self) -> Mapping[str, tuple[Task, LockedTask]]:
        return {s.task.id: (s.task, s.locked) for s in self.seal.tasks}
