"""Control groups, old (v1), new (v2) and mixed: which may be used here, groups for commands, and what dead harnesses left.

A group is `denominator/<pid namespace>-<harness pid>-<its start time>-<random>`, so that a later harness can
tell whose it was and sweep what a dead one left behind.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.hierarchies import Hierarchy, hierarchies
from denominator.errors import MachineError

__all__ = ["Cgroups", "harness_name"]

FOLDER = "denominator"
NEEDED = ("memory", "pids")
MOST_GROUPS = 20_000


def harness_name(pid: int | None = None, proc: Path = Path("/proc")) -> str:
    """`<pid namespace>-<pid>-<start time>` of a process: no two processes of one boot share it. "" when it is gone."""
    try:
        number = os.getpid() if pid is None else pid
        namespace = str((proc / "self/ns/pid").readlink()).strip("pid:[]")
        start = (proc / str(number) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
    return f"{namespace}-{number}-{start}"


def _enterable(folder: Path) -> bool:
    """Can a child of ours really be moved in? Tried, because rights on two folders decide it."""
    child = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        (folder / "cgroup.procs").write_text(str(child.pid), "ascii")
    except OSError:
        return False
    finally:
        child.communicate(b"")
    return True


@dataclass(slots=True)
class Cgroups:
    """What control groups can do for us here. `memory`, `pids` and `kill` are (our folder, version) or None."""

    memory: tuple[Path, int] | None = None
    pids: tuple[Path, int] | None = None
    kill: tuple[Path, int] | None = None
    why_not: str = "no control group hierarchy is mounted"
    tops: tuple[Path, ...] = ()

    @classmethod
    def detect(cls, proc: Path = Path("/proc"), enterable: Callable[[Path], bool] = _enterable) -> Cgroups:
        """Look at the mounted hierarchies and make our folder where that is allowed."""
        found = cls()
        try:
            mounted = hierarchies(
                (proc / "self/mountinfo").read_text("utf-8", "replace"),
                (proc / "self/cgroup").read_text("utf-8", "replace"),
            )
        except (OSError, ValueError):
            return found
        for hierarchy in sorted(mounted, key=lambda each: each.version):
            found._take(hierarchy, enterable)
        return found

    def _take(self, hierarchy: Hierarchy, enterable: Callable[[Path], bool]) -> None:
        wanted = [name for name in NEEDED if name in hierarchy.controllers and not getattr(self, name)]
        if hierarchy.version == 1 and not wanted:
            return
        for place in hierarchy.places():
            folder = place / FOLDER
            try:
                got = _make(hierarchy, place, folder, enterable)
            except OSError as error:
                self.why_not = f"{place}: {error.strerror or error}"
                continue
            names = wanted if hierarchy.version == 1 else [name for name in NEEDED if name in got]
            if hierarchy.top not in self.tops:
                self.tops = (*self.tops, hierarchy.top)
            for name in names:
                if getattr(self, name) is None:
                    setattr(self, name, (folder, hierarchy.version))
            if hierarchy.version == 2 and self.kill is None:
                self.kill = (folder, 2)
            if names or hierarchy.version == 1:
                return
            self.why_not = f"{place}: memory and pids are not delegated here"
            if self.memory and self.pids:
                return

    @property
    def folders(self) -> tuple[Path, ...]:
        """Our folders, each once."""
        return tuple(dict.fromkeys(part[0] for part in (self.memory, self.pids, self.kill) if part))

    def group(self, memory_bytes: int, processes: int) -> Group | None:
        """A fresh group with limits; None where there are no control groups for us."""
        if not self.folders:
            return None
        name = f"{harness_name()}-{secrets.token_hex(6)}"
        made = Group(folders=tuple(folder / name for folder in self.folders))
        if self.memory:
            made.memory = (self.memory[0] / name, self.memory[1])
        if self.pids:
            made.pids = (self.pids[0] / name, self.pids[1])
        if self.kill:
            made.kill_file = self.kill[0] / name / "cgroup.kill"
        try:
            for folder in made.folders:
                _make_group(folder)
            made.limit(memory_bytes, processes)
        except OSError as error:
            made.remove()
            raise MachineError(
                "a control group cannot be made",
                where=str(error.filename or made.folders[0]),
                fix="run `denominator doctor`; it says what this machine allows",
            ) from error
        return made

    def sweep(self) -> int:
        """Kill and remove what dead harnesses of this pid namespace left behind; returns how many groups.

        A harness of another session or service had its folder elsewhere in the hierarchy, so all of it is looked at.
        """
        mine = harness_name().partition("-")[0]
        swept = set()
        elsewhere = [folder for folder in _ours(self.tops) if folder not in self.folders]
        for folder in (*self.folders, *elsewhere):
            for group in _children(folder):
                parts = group.name.split("-")
                if len(parts) != 4 or parts[0] != mine or not parts[1].isdigit():
                    continue
                if harness_name(int(parts[1])) == "-".join(parts[:3]):
                    continue  # that harness lives
                left = Group(folders=(group,), kill_file=group / "cgroup.kill")
                left.empty(2.0)
                left.remove()
                swept.add(group.name)
        for folder in elsewhere:
            with contextlib.suppress(OSError):
                folder.rmdir()
        return len(swept)

    def close(self) -> None:
        """Remove our folders when no other harness uses them."""
        for folder in self.folders:
            with contextlib.suppress(OSError):
                folder.rmdir()


def _make_group(folder: Path) -> None:
    """Make a group; our folder above it may have gone with another harness that found it empty."""
    for _ in range(20):
        try:
            folder.mkdir()
            return
        except FileNotFoundError:
            with contextlib.suppress(FileExistsError):
                folder.parent.mkdir()
            if (folder.parent / "cgroup.subtree_control").exists():
                _delegate(folder.parent)
    folder.mkdir()


def _ours(tops: Iterable[Path]) -> list[Path]:
    """Folders of harnesses anywhere in these hierarchies; of very many groups only the first are looked at."""
    found, left = [], MOST_GROUPS
    for top in tops:
        for place, names, _files in os.walk(top):
            left -= 1
            if FOLDER in names:
                names.remove(FOLDER)
                found.append(Path(place) / FOLDER)
            if left < 0:
                return found
    return found


def _children(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return [path for path in folder.iterdir() if path.is_dir()]
    return []


def _make(hierarchy: Hierarchy, place: Path, folder: Path, enterable: Callable[[Path], bool]) -> frozenset[str]:
    """Make our folder at `place`; returns the controllers that groups below it have. Raises when not allowed."""
    if hierarchy.version == 2:
        _delegate(place)
    existed = folder.is_dir()
    folder.mkdir(exist_ok=True)
    trial = folder / f"{harness_name()}-{secrets.token_hex(6)}"
    try:
        _make_group(trial)
        if not enterable(trial):
            raise PermissionError(1, "a process cannot be moved into a new group")
        if hierarchy.version == 1:
            return hierarchy.controllers
        _delegate(folder)
        return frozenset((folder / "cgroup.subtree_control").read_text("ascii").split())
    except OSError:
        if not existed:
            with contextlib.suppress(OSError):
                trial.rmdir()
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise
    finally:
        with contextlib.suppress(OSError):
            trial.rmdir()


def _delegate(folder: Path) -> None:
    """Ask for the memory and pids controllers below `folder`; the kernel refuses where that would be wrong."""
    for name in NEEDED:
        with contextlib.suppress(OSError):
            if (
                name in (folder / "cgroup.controllers").read_text("ascii").split()
                and name not in (folder / "cgroup.subtree_control").read_text("ascii").split()
            ):
                (folder / "cgroup.subtree_control").write_text(f"+{name}", "ascii")
