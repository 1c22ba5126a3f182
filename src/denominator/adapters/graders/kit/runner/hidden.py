"""The hidden tests: their modules come with the order and are compiled at once, so that their texts are in no file system.

A command's tests, which it runs by itself, lie in a read-only folder.
"""

from __future__ import annotations

import base64
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


def load(order: dict[str, Any]) -> dict[str, bytes]:
    """Relative path -> bytes. Every Python file must compile, before anything of the solution has run."""
    files = {path: base64.b64decode(data) for path, data in order.pop("files").items()}
    if not files:
        files = dict(walk(order["hidden"], ""))
    for path, data in files.items():
        if path.endswith(".py"):
            compile(data, path, "exec")
    return files


def split(tests: Mapping[str, bytes], root: str, compiled: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Code of the modules, by `compiled(path, data, place)`, and data of all else."""
    codes = {path: compiled(path, data, f"{root}/{path}") for path, data in tests.items() if path.endswith(".py")}
    return codes, {path: data for path, data in tests.items() if path not in codes}


def walk(root: str, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(os.scandir(os.path.join(root, prefix)), key=lambda e: e.name):
        path = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from walk(root, f"{path}/")
        elif entry.is_file(follow_symlinks=False):
            with open(entry.path, "rb") as file:
                yield path, file.read()
