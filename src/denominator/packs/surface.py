"""What a solution of a task may use: the snapshot, the frozen specification, and who may be imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from denominator.packs.listing import list_files
from denominator.readers.api import modules_of, read_requirements
from denominator.records.packs import Task
from denominator.records.values import NotMeasured
from denominator.wire.trees import matches

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw")
PYTHON_FILES_MAX = 10_000
PYTHON_BYTES_MAX = 64 << 20


@dataclass(eq=False)
class Snapshot(Mapping[str, bytes]):
    """The regular files of a trusted folder by POSIX path, each read once and only when it is asked for.

    `limited` says why a folder is too large to be searched, or is "".
    """

    root: Path
    limited: str = ""
    _sizes: dict[str, int] = field(default_factory=dict)
    _read: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._sizes = {file.path: file.size for file in list_files(self.root).files}
        self.limited = _too_large(self._sizes)

    def __getitem__(self, path: str) -> bytes:
        if path not in self._sizes:
            raise KeyError(path)
        if path not in self._read:
            self._read[path] = (self.root / path).read_bytes()
        return self._read[path]

    def __contains__(self, path: object) -> bool:
        return path in self._sizes

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)


def _too_large(sizes: Mapping[str, int]) -> str:
    python = [size for path, size in sizes.items() if path.endswith(PYTHON_SUFFIXES)]
    if len(python) > PYTHON_FILES_MAX:
        return f"the repository has more than {PYTHON_FILES_MAX} Python files"
    if sum(python) > PYTHON_BYTES_MAX:
        return f"the repository has more than {PYTHON_BYTES_MAX >> 20} MB of Python"
    return ""


def spec_files(task: Task, folder: Path, repository: Mapping[str, bytes]) -> dict[str, bytes]:
    """The frozen specification: everything in spec/, and what `spec_paths` name in the snapshot."""
    beside = Snapshot(folder) if folder.is_dir() else {}
    out = {f"spec/{path}": beside[path] for path in beside}
    return out | {path: repository[path] for path in repository if any(names(glob, path) for glob in task.spec_paths)}


def names(glob: str, path: str) -> bool:
    """Does an entry of `spec_paths` mean a path? Entries are globs; a folder stands for all below it."""
    return matches((glob,), path) or path.startswith(f"{glob.rstrip('/')}/")


def declared_by(
    task: Task, repository: Mapping[str, bytes], patch: Mapping[str, bytes | None]
) -> tuple[tuple[str, ...], bool]:
    """Declared packages, and whether somebody says that there are no others.

    What the repository requires may be used, too. Its list is taken as whole only where the task states none, every
    file that requires packages could be read, and the patch adds no requirement.
    """
    before = read_requirements(repository)
    if not isinstance(task.packages, NotMeasured):
        return (*task.packages, *map(modules_of, before.names)), True
    after = read_requirements({path: data for path, data in patch.items() if data is not None})
    added = set(after.names) - set(before.names)
    return before.names, before.stated and before.whole and after.whole and not added
