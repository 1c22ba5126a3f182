"""Are the tools that decide named so exactly that another machine has the same ones?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
_PINNED = re.compile(
    r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*===?\s*[A-Za-z0-9][A-Za-z0-9.!+_-]*\s*(?:[;#\\].*|--hash.*)?\Z"
)
_NO_NAME = re.compile(r"\s*(?:#.*|--.*|-c\s.*)?\Z")
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
    pins = {one.id: one.image for one in found.lock.tasks} if found.lock else {}
    if image and not _DIGEST.search(image) and not _DIGEST.search(pins.get(task.id, "")):
        yield f"the image {image!r} is named by no digest, and pack.lock holds none: denominator pack lock"
    packages = () if isinstance(task.packages, NotMeasured) else task.packages
    locked = _locked(found, task) if packages else ""
    loose = [one for one in packages if not re.search(rf"(?<![a-z0-9-]){re.escape(_plain(one))}(?![a-z0-9-])", locked)]
    if loose:
        yield f"needs {', '.join(loose)}, and no lock file and no requirements of exact versions name it"


def _locked(found: FoundPack, task: Task) -> str:
    """What lock files say, and the names in requirements of which every line names an exact version."""
    repo = task_paths(found, task).repo
    told = []
    for file in list_files(repo).files:
        name = file.path.rpartition("/")[2]
        if name in LOCKFILES or re.fullmatch(r"requirements.*\.txt", name):
            text = (repo / file.path).read_text(encoding="utf-8", errors="replace")
            told.append(text if name in LOCKFILES else _exact(text.splitlines()))
    return re.sub(r"[-_.]+", "-", "\n".join(told)).lower()


def _exact(lines: Sequence[str]) -> str:
    asked = [line for line in lines if not _NO_NAME.match(line)]
    exact = [found[1] for line in asked if (found := _PINNED.match(line))]
    return "\n".join(exact) if len(exact) == len(asked) else ""


def _plain(name: str) -> str:
    """A package's name as registries compare it, without the modules that follow a colon."""
    return re.sub(r"[-_.]+", "-", name.partition(":")[0]).lower()
