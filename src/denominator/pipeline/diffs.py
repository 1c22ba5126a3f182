"""A patch as people read one: what changed, line by line. For looking only; what is applied are whole files by digest."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import PurePosixPath

from denominator.errors import DenominatorError
from denominator.pipeline.world import OpenRun
from denominator.records.trees import Change, Patch
from denominator.wire.codec import from_json, loads


def readable_diff(run: OpenRun, task_id: str, patch: bytes) -> str:
    """The unified diff of a stored patch against the task's snapshot; "" when the patch cannot be read."""
    try:
        found = from_json(Patch, loads(patch, "patch"), "patch")
    except DenominatorError:
        return ""
    parts = [line for change in found.changes for line in _change(run, task_id, change)]
    return "\n".join([*parts, *(f"refused: {one}" for one in found.refused)]) or "nothing was changed"


def _change(run: OpenRun, task_id: str, change: Change) -> Iterator[str]:
    came = f" from {change.renamed_from}" if change.renamed_from else ""
    yield f"{change.op} {change.path}{came}"
    if change.op == "chmod":
        return
    try:
        old = _base(run, task_id, change.renamed_from or change.path).decode().splitlines()
        new = (run.blobs.get(change.blob) if change.blob else b"").decode().splitlines()
    except UnicodeDecodeError:
        yield "  (not text)"
    except (DenominatorError, OSError) as error:
        yield f"  (cannot be shown: {error.what if isinstance(error, DenominatorError) else error.strerror})"
    else:
        yield from (line.rstrip("\n") for line in unified_diff(old, new, change.path, change.path, lineterm=""))


def _base(run: OpenRun, task_id: str, path: str) -> bytes:
    """The bytes of the snapshot, from the run's own copy of its pack; none for a new file."""
    inside = PurePosixPath(path)
    if inside.is_absolute() or ".." in inside.parts:
        return b""
    place = run.task_folder(task_id) / "repo" / inside
    return place.read_bytes() if place.is_file() and not place.is_symlink() else b""
