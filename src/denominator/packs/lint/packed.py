"""What a file of the snapshot holds inside: members of archives, compressed bytes, runs of base64 and hexadecimal digits."""

from __future__ import annotations

from collections.abc import Iterator

from denominator.packs.lint.material import TaskMaterial
from denominator.wire.canary.packed import unpacked
from denominator.wire.trees import read_file

DEPTH = 3
READ_MAX = 32 << 20
"""Files above are not opened; lint calls them oversized."""


def packed_in(item: TaskMaterial, path: str) -> Iterator[tuple[str, bytes]]:
    """(how, bytes) of all that opens inside a file of the snapshot, one packing in another, three deep."""
    yield from _inside(read_file(item.paths.repo, path), DEPTH)


def _inside(data: bytes, depth: int) -> Iterator[tuple[str, bytes]]:
    for how, inner in unpacked(data):
        if inner:
            yield how, inner
            if depth > 1:
                yield from ((f"{how} > {further}", more) for further, more in _inside(inner, depth - 1))
