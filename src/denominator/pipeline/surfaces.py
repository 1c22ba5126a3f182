"""Which surfaces the patch of one attempt uses: the reader `api` over snapshot, patch and frozen specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from denominator.packs.listing import list_files
from denominator.pipeline.material import Material
from denominator.ports import Blobs
from denominator.readers.api import ApiInputs, modules_of, read_api, read_requirements
from denominator.records.facts import Facts
from denominator.records.packs import Task
from denominator.records.seals import Seal
from denominator.records.trees import Patch
from denominator.records.values import NotMeasured
from denominator.wire.trees import matches

PYTHON_SUFFIXES = (".py", ".pyi", ".pyw")
PYTHON_FILES_MAX = 10_000
PYTHON_BYTES_MAX = 64 << 20


def read_surfaces(material: Material) -> Facts:
    """The facts of reader `api` (docs/formats/facts.md)."""
    inputs = api_inputs(material)
    sources = tuple(change.blob for change in material.patch.changes if change.blob)
    return read_api(material.notes.key, inputs, sources)


def api_inputs(material: Material) -> ApiInputs:
    """What the reader looks at; files of the snapshot are read when they are asked for."""
    task, folder = material.task, material.run.task_folder(material.task.id)
    repository = Snapshot(folder / "repo")
    patch = files_of(material.patch, material.run.blobs)
    declared, closed = declared_by(task, repository, patch)
    return ApiInputs(
        repository=repository,
        patch=patch,
        spec=spec_files(task, folder / "spec", repository),
        declared=declared,
        closed=closed,
        python=python_of(material.run.seal),
        limited=repository.limited,
        renamed={c.path: c.renamed_from for c in material.patch.changes if c.renamed_from},
    )


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
        return f"the repository has more than {PYTHON_FILES_MAX} Python files and was not searched"
    if sum(python) > PYTHON_BYTES_MAX:
        return f"the repository has more than {PYTHON_BYTES_MAX >> 20} MB of Python and was not searched"
    return ""


def files_of(patch: Patch, blobs: Blobs) -> dict[str, bytes | None]:
    """Path -> bytes after the patch; None where no regular file is left. A change of mode alone is none."""
    out: dict[str, bytes | None] = {}
    for change in patch.changes:
        if change.renamed_from:
            out.setdefault(change.renamed_from, None)
        if change.op != "chmod":
            stays = change.op != "delete" and change.kind == "file"
            out[change.path] = blobs.get(change.blob) if stays else None
    return out


def spec_files(task: Task, folder: Path, repository: Snapshot) -> dict[str, bytes]:
    """The frozen specification: everything in spec/, and what `spec_paths` name in the snapshot."""
    beside = Snapshot(folder) if folder.is_dir() else {}
    out = {f"spec/{path}": beside[path] for path in beside}
    named = (path for path in repository if _named(task, path))
    return out | {path: repository[path] for path in named}


def _named(task: Task, path: str) -> bool:
    """`spec_paths` are globs; a folder stands for all below it."""
    return matches(task.spec_paths, path) or any(path.startswith(f"{p.rstrip('/')}/") for p in task.spec_paths)


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


def python_of(seal: Seal) -> str:
    """The version of the sandbox's Python ("3.11.2"), "" when it is not known."""
    said = seal.box.toolchain_python
    return "" if isinstance(said, NotMeasured) else said.rpartition(" ")[2]
