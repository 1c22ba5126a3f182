"""Where things are in a pack folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.records.packs import FoundPack, Task
from denominator.wire.names import safe_name

PACK_FILE = "pack.toml"
PROVENANCE_FILE = "provenance.toml"
LOCK_FILE = "pack.lock"
AUDIT_FILE = "pack.audit.json"
TASKS = "tasks"
TASK_FILE = "task.toml"


@dataclass(frozen=True, slots=True)
class TaskPaths:
    """The folder of one task. The agent sees `repo`, `prompt` and `spec`; never `hidden` or `gold`."""

    folder: Path

    @property
    def toml(self) -> Path:
        return self.folder / TASK_FILE

    @property
    def prompt(self) -> Path:
        return self.folder / "prompt.md"

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def hidden(self) -> Path:
        return self.folder / "hidden"

    @property
    def gold(self) -> Path:
        return self.folder / "gold.patch"

    @property
    def spec(self) -> Path:
        return self.folder / "spec"


def task_paths(found: FoundPack, task: Task) -> TaskPaths:
    """Paths of a task of a loaded pack: the folder is named by the reversible safe name of its id."""
    return TaskPaths(Path(found.root) / TASKS / safe_name(task.id))
