"""The kit's modules compiled once a process, for an interpreter of the same bytecode; any other one compiles the sources."""

from __future__ import annotations

import importlib.util
import marshal
import sys
from functools import lru_cache
from pathlib import Path

from denominator.wire.trees import write_file

UNCHECKED = b"\x01\0\0\0"  # flags of a hash-based file: the sources lie beside it, written by the same hand


def write_module(folder: Path, path: str, inside: str, source: bytes) -> None:
    """A file of the kit at `path` below `folder`, which the sandbox shows as `inside`; a module with its bytecode.

    Name and first bytes of the bytecode say which Python made it, so no other one takes it.
    """
    write_file(folder, path, source, 0o644)
    place, _, name = path.rpartition("/")
    stem = name.removesuffix(".py")
    if stem != name:
        cached = f"{place}/__pycache__/{stem}.{sys.implementation.cache_tag}.pyc"
        write_file(folder, cached, _bytecode(inside, source), 0o644)


@lru_cache(maxsize=256)
def _bytecode(inside: str, source: bytes) -> bytes:
    code = compile(source, inside, "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED + importlib.util.source_hash(source)
    return head + marshal.dumps(code)
