"""Content encodings of bodies that can be read: all that zlib unpacks."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zlib import _Decompress

ENCODED = ("gzip", "x-gzip", "deflate")


def unpacker() -> _Decompress:
    """For any of them: 32 + 15 makes zlib tell gzip and deflate apart by their headers."""
    return zlib.decompressobj(47)
