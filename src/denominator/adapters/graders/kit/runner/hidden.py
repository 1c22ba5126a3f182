"""The hidden tests: from a read-only folder, or (level G3) from the order, so that they are in no file system."""

import base64
import os
from collections.abc import Iterator, Mapping
from typing import Any


def load(order: Mapping[str, Any]) -> dict[str, bytes]:
    """Relative path -> bytes. Every Python file must compile, before anything of the solution has run."""
    files = {path: base64.b64decode(data) for path, data in order["files"].items()}
    if not files:
        files = dict(walk(order["hidden"], ""))
    for path, data in files.items():
        if path.endswith(".py"):
            compile(data, path, "exec")
    return files


def walk(root: str, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(os.scandir(os.path.join(root, prefix)), key=lambda e: e.name):
        path = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from walk(root, f"{path}/")
        elif entry.is_file(follow_symlinks=False):
            with open(entry.path, "rb") as file:
                yield path, file.read()
