"""A Merkle root over leaves, and proofs that show single ones later without the others.

Leaf and inner nodes are told apart by their first byte (RFC 6962, section 2.1): sha256(0x00 + leaf) and
sha256(0x01 + left + right), split at the largest power of two below the number of leaves. No leaves: sha256 of nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

_SHA = re.compile(r"[0-9a-f]{64}")


def merkle_root(leaves: Sequence[bytes]) -> str:
    """The root in lowercase hex; the order of the leaves counts."""
    if not leaves:
        return hashlib.sha256().hexdigest()
    level = [hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]
    # Pairing from the left and carrying an odd last node up gives the tree of the standard.
    while len(level) > 1:
        pairs = [hashlib.sha256(b"\1" + one + two).digest() for one, two in zip(level[::2], level[1::2], strict=False)]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
    return level[0].hex()


def merkle_proof(leaves: Sequence[bytes], index: int) -> tuple[str, ...]:
    """What one leaf needs to give the root: the nodes beside its path, from the leaf upwards, in lowercase hex.

    ValueError for an index outside the leaves.
    """
    if not 0 <= index < len(leaves):
        raise ValueError(f"no leaf {index} among {len(leaves)}")
    level = [hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]
    path: list[str] = []
    while len(level) > 1:
        beside = index ^ 1
        if beside < len(level):
            path.append(level[beside].hex())
        pairs = [hashlib.sha256(b"\1" + one + two).digest() for one, two in zip(level[::2], level[1::2], strict=False)]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
        index //= 2
    return tuple(path)


def proved_root(leaf: bytes, index: int, size: int, path: Sequence[str]) -> str:
    """The root that a leaf has at this place among `size` leaves with this path; "" where no tree has such a path."""
    if not 0 <= index < size:
        return ""
    node, beside = hashlib.sha256(b"\0" + leaf).digest(), iter(path)
    while size > 1:
        if index ^ 1 < size:
            other = _node(next(beside, ""))
            if not other:
                return ""
            node = hashlib.sha256(b"\1" + (other + node if index % 2 else node + other)).digest()
        index, size = index // 2, (size + 1) // 2
    return "" if next(beside, None) is not None else node.hex()


def _node(text: str) -> bytes:
    """A node of a path; nothing where the text is no digest in lowercase hex."""
    return bytes.fromhex(text) if _SHA.fullmatch(text) else b""
