"""A Merkle root over leaves, so that single ones can be shown later without the others.

Leaf and inner nodes are told apart by their first byte (RFC 6962, section 2.1): sha256(0x00 + leaf) and
sha256(0x01 + left + right), split at the largest power of two below the number of leaves. No leaves: sha256 of nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


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
