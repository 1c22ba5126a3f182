"""Digests of a pack, reproducible with coreutils (docs/formats/pack.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from denominator.errors import InputError
from denominator.packs.layout import TASKS, task_paths
from denominator.packs.listing import checked_files
from denominator.packs.trees import frozen_tree
from denominator.records.packs import FoundPack, LockedFile, LockedTask, Task
from denominator.wire.names import safe_name


def file_sha256(path: Path) -> str:
    """sha256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def locked_files(root: Path) -> tuple[LockedFile, ...]:
    """Every file that belongs to the pack, sorted bytewise by path."""
    return tuple(
        LockedFile(path=file.path, sha256=file_sha256(root / file.path), executable=file.executable)
        for file in checked_files(root)
    )


def lines_digest(files: Iterable[LockedFile]) -> str:
    """sha256 of the lines that `sha256sum` prints, in path order: "<sha256>  <path>\\n"."""
    ordered = sorted(files, key=lambda file: file.path.encode())
    return hashlib.sha256("".join(f"{file.sha256}  {file.path}\n" for file in ordered).encode()).hexdigest()


def pack_digest(root: Path) -> str:
    """The digest that names a pack: the lines of all its files."""
    return lines_digest(locked_files(root))


def locked_task(found: FoundPack, task: Task, files: Iterable[LockedFile], image: str = "") -> LockedTask:
    """Digests of one task, and its pinned image. A change of the prompt moves `prompt_sha256` and `digest`, no tree."""
    paths = task_paths(found, task)
    prefix = f"{TASKS}/{safe_name(task.id)}/"
    by_path = {file.path: file for file in files if file.path.startswith(prefix)}
    prompt = by_path.get(prefix + paths.prompt.name)
    gold = by_path.get(prefix + paths.gold.name)
    if prompt is None:
        raise InputError("no prompt.md", where=str(paths.folder), fix="write the prompt that the agent gets")
    return LockedTask(
        id=task.id,
        digest=lines_digest(by_path.values()),
        prompt_sha256=prompt.sha256,
        base_tree=frozen_tree(paths.repo).digest,
        hidden_tree=frozen_tree(paths.hidden).digest,
        gold_sha256=gold.sha256 if gold else "",
        image=image,
    )
