"""Making a lock."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.packs.digests import lines_digest, locked_files, locked_task
from denominator.packs.ids import id_problems
from denominator.packs.layout import LOCK_FILE, task_paths
from denominator.records.packs import Baseline, FoundPack, LockedFile, PackLock, Task

NO_IMAGES: Mapping[str, str] = {}


def make_lock(
    found: FoundPack, baseline: Baseline | None, made_by: str, images: Mapping[str, str] = NO_IMAGES
) -> PackLock:
    """The lock of a pack as it is now; `images` are the pins of the images that tasks name.

    Refuses unsafe ids, sources that are not here, images without a pin, and a version used before.
    """
    problems = [
        *id_problems(found.pack.tasks, found.pack.id),
        *(p for task in found.pack.tasks for p in _source_problems(found, task)),
        *(p for task in found.pack.tasks for p in _image_problems(task, images)),
    ]
    if problems:
        raise InputError("the pack cannot be locked", where=found.root, problems=problems)
    files = locked_files(Path(found.root))
    digest = lines_digest(files)
    _refuse_used_version(found, digest)
    if baseline is not None and baseline.pack_digest != digest:
        raise InputError(
            "the baseline was taken of other files", where=found.root, fix="denominator pack lock " + found.root
        )
    return PackLock(
        pack_id=found.pack.id,
        pack_version=found.pack.version,
        digest=digest,
        files=files,
        tasks=tuple(
            locked_task(found, task, files, images.get(task.environment.image, "")) for task in found.pack.tasks
        ),
        baseline=baseline,
        made_by=made_by,
    )


def _source_problems(found: FoundPack, task: Task) -> list[Problem]:
    """Nothing is fetched here or at run time: a git source must lie in repo/ already."""
    paths = task_paths(found, task)
    if paths.repo.is_dir() and any(paths.repo.iterdir()):
        return []
    if task.source.kind != "git":
        return [Problem(str(paths.repo), "no repository snapshot", "put the files that the agent starts from there")]
    how = f"git -C CLONE archive {task.source.commit or 'COMMIT'} | tar -x -C {paths.repo}"
    return [
        Problem(str(paths.repo), "the pinned snapshot is not here", f"materialise it from a clone of your own: {how}")
    ]


def _image_problems(task: Task, images: Mapping[str, str]) -> list[Problem]:
    name = task.environment.image
    if not name or name in images:
        return []
    return [Problem(f"{task.id}: environment.image", f"{name} is not pinned", "lock where an engine has the image")]


def _refuse_used_version(found: FoundPack, digest: str) -> None:
    """A pack that changed under one id and version would let two experiments share a name."""
    old = found.lock
    if old is None or old.digest == digest or (old.pack_id, old.pack_version) != (found.pack.id, found.pack.version):
        return
    raise InputError(
        f"{old.pack_id} {old.pack_version} was locked as {old.digest[:12]} and is {digest[:12]} now",
        where=str(Path(found.root) / LOCK_FILE),
        fix="raise the version in pack.toml",
        problems=[
            Problem(change, "differs from the lock") for change in _changes(old.files, locked_files(Path(found.root)))
        ],
    )


def _changes(old: tuple[LockedFile, ...], new: tuple[LockedFile, ...]) -> list[str]:
    return sorted({file.path for file in set(old) ^ set(new)})[:20]
