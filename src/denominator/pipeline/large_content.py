"""The digest of a long file's lines, whatever their order: of every line its digest, and these sorted.

As `importers.contents.content_digest` says it of a file that is held in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

SIZE = 32
AT_ONCE = 1 << 16
PLAIN = "latin-1"
"""Texts of one byte a character are sorted as their bytes are, and sooner."""


def digests_of(lines: Iterable[bytes]) -> bytes:
    """The digests of lines, one behind another."""
    return b"".join([one.digest() for one in map(hashlib.sha256, lines)])


def in_order(*digests: bytes | bytearray) -> bytes:
    """Digests that stand one behind another, sorted; quick where parts of them are sorted already."""
    found: list[str] = []
    for some in digests:
        text = some.decode(PLAIN)
        found += [text[at : at + SIZE] for at in range(0, len(text), SIZE)]
    found.sort()
    return "".join(found).encode(PLAIN)


def digest_of(digests: bytes) -> str:
    """The digest of sorted ones."""
    over = hashlib.sha256()
    for at in range(0, len(digests), AT_ONCE * SIZE):
        over.update((("\n" if at else "") + digests[at : at + AT_ONCE * SIZE].hex("\n", SIZE)).encode())
    return over.hexdigest()
