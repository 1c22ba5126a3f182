"""Are the tools that decide named so exactly that another machine has the same ones?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from denominator.packs.layout import task_paths
from denominator.packs.listing import list_files
from denominator.records.boxes import Box
from denominator.records.packs import FoundPack, Task
from denominator.records.values import NotMeasured

LOCKFILES = (
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pylock.toml",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "Cargo.lock",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
)
_PINNED = re.compile(r"^[A-Za-z0-9_.\[\]-]+ *== *[0-9]|^ *--hash=|^ *(?:#|$|-c |--)")
_DIGEST = re.compile(r"@?sha256:[0-9a-f]{64}\Z")


def pinned(found: FoundPack, box: Box) -> tuple[list[str], str]:
    """(what is not pinned, what is)."""
    problems = [f"the toolchain's {name} is not known: {fact}" for name, fact in _toolchain(box) if not fact]
    for task in found.pack.tasks:
        problems += [f"{task.id}: {problem}" for problem in _task(found, task)]
    told = " ".join(f"{fact}"[:40] for _, fact in _toolchain(box) if fact)
    return problems, f"toolchain {told}..."


def _toolchain(box: Box) -> tuple[tuple[str, str | NotMeasured], ...]:
    return (("version", box.toolchain_python), ("digest", box.toolchain_digest))


def _task(found: FoundPack, task: Task) -> Iterator[str]:
    image = task.environment.image
    locked = {one.id: one.image for one in found.lock.tasks} if found.lock else {}
    if image and not _DIGEST.search(image) and not _DIGEST.search(locked.get(task.id, "")):
        yield f"the image {image!r} is named by no digest, and pack.lock holds none: denominator pack lock"
    packages = () if isinstance(task.packages, NotMeasured) else task.packages
    if packages and not _locked(found, task):
        yield f"needs {', '.join(packages)} and holds no lock file and no requirements with exact versions"


def _locked(found: FoundPack, task: Task) -> bool:
    repo = task_paths(found, task).repo
    for file in list_files(repo).files:
        name = file.path.rpartition("/")[2]
        if name in LOCKFILES:
            return True
        if re.fullmatch(r"requirements.*\.txt", name):
            lines = (repo / file.path).read_text(encoding="utf-8", errors="replace").splitlines()
            if lines and all(_PINNED.match(line) for line in lines):
                return True
    return False
