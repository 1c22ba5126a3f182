"""The files that decide a grading: the grader's own with its kit, the readers it uses, and a task's hidden folder."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from denominator.errors import InputError
from denominator.readers import runners
from denominator.wire.trees import read_file, read_tree

HERE = Path(__file__).parent
READERS = Path(runners.__file__).parent
READERS_USED = ("formats/", "shape.py", "tally.py", "texts.py")


def digest_of(files: Mapping[str, bytes]) -> str:
    """sha256 over the grader's files and the readers of reports that it uses."""
    both = {**files, **_readers()}
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(both.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def own_files() -> dict[str, bytes]:
    """The grader's own files by relative path."""
    return _below(HERE)


def _readers() -> dict[str, bytes]:
    """The files of the shared report readers that a grading uses."""
    found = _below(READERS)
    return {f"readers/{path}": data for path, data in found.items() if path.startswith(READERS_USED)}


def _below(root: Path) -> dict[str, bytes]:
    """The files of a folder of ours by relative path (bytecode left out)."""
    tree = read_tree(root, trusted=True)
    paths = [entry.path for entry in tree.entries if entry.kind == "file" and "__pycache__" not in entry.path]
    return {path: read_file(root, path) for path in paths}


def hidden_files(root: Path) -> dict[str, bytes]:
    """The hidden folder's files, read once: what is checked is what is used. A task without hidden files may lack it."""
    if not root.is_dir():
        return {}
    tree = read_tree(root, trusted=True)
    odd = [*(r.path for r in tree.refused), *(e.path for e in tree.entries if e.kind != "file")]
    if odd:
        raise InputError("is no regular file that can be read", where=f"{root}/{odd[0]}", fix="remove it from the pack")
    return {entry.path: read_file(root, entry.path) for entry in tree.entries if "__pycache__" not in entry.path}
