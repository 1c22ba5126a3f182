"""Which surfaces the patch of one attempt uses: the reader `api` over snapshot, patch and frozen specification."""

from __future__ import annotations

from denominator.packs.surface import Snapshot, declared_by, spec_files
from denominator.pipeline.material import Material
from denominator.ports import Blobs
from denominator.readers.api import ApiInputs, read_api
from denominator.records.facts import Facts
from denominator.records.seals import Seal
from denominator.records.trees import Patch
from denominator.records.values import NotMeasured


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


def python_of(seal: Seal) -> str:
    """The version of the sandbox's Python ("3.11.2"), "" when it is not known."""
    said = seal.box.toolchain_python
    return "" if isinstance(said, NotMeasured) else said.rpartition(" ")[2]
