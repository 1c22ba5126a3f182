"""A pack folder -> `FoundPack`. Every mistake of every file is reported in one pass."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TypeVar

from denominator.errors import DenominatorError, InputError, Problem
from denominator.packs.layout import LOCK_FILE, PACK_FILE, PROVENANCE_FILE, TASK_FILE, TASKS
from denominator.packs.words import task_word_problems
from denominator.records.packs import NO_PROVENANCE, FoundPack, Pack, PackLock, Provenance, ProvenanceFile, Task
from denominator.records.values import NotMeasured
from denominator.wire.codec import from_json, loads
from denominator.wire.names import safe_name
from denominator.wire.toml import read_toml

T = TypeVar("T")


def load_pack(root: Path) -> FoundPack:
    """Read `pack.toml`, every `tasks/<id>/task.toml`, and `provenance.toml` and `pack.lock` if there. No digest is checked."""
    if not (root / PACK_FILE).is_file():
        raise InputError(f"no {PACK_FILE} in this folder", where=str(root), fix="denominator pack init " + str(root))
    problems: list[Problem] = []
    pack = _read_toml(Pack, root / PACK_FILE, problems)
    provenance = _load_provenance(root, pack, problems)
    tasks = _load_tasks(root, problems)
    lock = _load_lock(root, problems)
    if pack is not None and pack.tasks:
        problems.append(
            Problem(str(root / PACK_FILE), "holds [[tasks]]", "each task has a tasks/<id>/task.toml of its own")
        )
    if problems or pack is None:
        raise InputError(
            "the pack cannot be read", where=str(root), problems=problems, fix="denominator pack lint " + str(root)
        )
    pack = replace(pack, tasks=_with_packages(pack, tasks), provenance=provenance)
    return FoundPack(root=str(root), pack=pack, lock=lock)


def _load_provenance(root: Path, pack: Pack | None, problems: list[Problem]) -> Provenance:
    """Who wrote the tasks: a file of its own, or a table of pack.toml; never both."""
    stated = pack.provenance if pack is not None else NO_PROVENANCE
    path = root / PROVENANCE_FILE
    if not path.is_file():
        return stated
    if stated != NO_PROVENANCE:
        what = f"{PACK_FILE} has a table [provenance] too"
        problems.append(Problem(str(path), what, "say it in one place: remove the table, or the file"))
    told = _read_toml(ProvenanceFile, path, problems)
    return Provenance(**{one.name: getattr(told, one.name) for one in fields(Provenance)}) if told else stated


def _with_packages(pack: Pack, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """A task that states no packages of its own has those of its pack."""
    return tuple(
        replace(task, packages=pack.packages) if isinstance(task.packages, NotMeasured) else task for task in tasks
    )


def read_lock(path: Path) -> PackLock:
    """Read a `pack.lock`."""
    return from_json(PackLock, loads(path.read_bytes(), str(path)), str(path))


def _load_tasks(root: Path, problems: list[Problem]) -> tuple[Task, ...]:
    folder = root / TASKS
    if not folder.is_dir():
        problems.append(Problem(str(folder), "no such folder", "each task is a folder tasks/<id> with a task.toml"))
        return ()
    found = []
    for entry in sorted(folder.iterdir(), key=lambda path: path.name.encode("utf-8", "surrogateescape")):
        if entry.is_dir() and not entry.is_symlink():
            task = _load_task(entry, problems)
            found += [] if task is None else [task]
    if not found and not problems:
        problems.append(Problem(str(folder), "holds no task", "denominator pack init shows what a task looks like"))
    return tuple(found)


def _load_task(folder: Path, problems: list[Problem]) -> Task | None:
    path = folder / TASK_FILE
    if not path.is_file():
        problems.append(Problem(str(folder), f"no {TASK_FILE}", "write one, or move the folder out of tasks/"))
        return None
    task = _read_toml(Task, path, problems)
    if task is None:
        return None
    problems += [Problem(f"{path}: {p.where}", p.what, p.fix) for p in task_word_problems(task)]
    wanted = safe_name(task.id)
    if folder.name != wanted:
        what = f'id "{task.id}" does not belong in folder "{folder.name}"'
        problems.append(Problem(f"{path}: id", what, f'name the folder "{wanted}"'))
    return task


def _load_lock(root: Path, problems: list[Problem]) -> PackLock | None:
    path = root / LOCK_FILE
    if not path.is_file():
        return None
    try:
        return read_lock(path)
    except DenominatorError as error:
        problems += error.problems or (Problem(str(path), error.what, "lock the pack again"),)
        return None


def _read_toml(cls: type[T], path: Path, problems: list[Problem]) -> T | None:
    try:
        return read_toml(cls, path.read_bytes().decode("utf-8"), str(path))
    except UnicodeDecodeError as error:
        problems.append(Problem(str(path), f"not UTF-8 at byte {error.start}", "save it as UTF-8"))
    except DenominatorError as error:
        problems += error.problems or (Problem(str(path), error.what, error.fix),)
    return None
