"""The one byte form of a value, and digests. Keys sorted by code point, no spaces, UTF-8, integers and text only."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable
from typing import Any

from denominator.errors import InputError
from denominator.records.events import Json
from denominator.wire.codec import to_json
from denominator.wire.encode import any_json, no_json
from denominator.wire.paths import Path
from denominator.wire.scan import DEPTH_MAX


def canonical(value: Any) -> bytes:
    """Canonical JSON of a record or of plain JSON values (records inside lists and mappings are fine)."""
    try:
        return json.dumps(
            any_json(value, None, DEPTH_MAX, _record), sort_keys=True, separators=(",", ":"), ensure_ascii=False
        ).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            "half of a surrogate pair cannot be written", where=error.object[: error.start][-60:]
        ) from None


def _record(value: Any, path: Path) -> Json:
    return to_json(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else no_json(value, path)


def digest(value: Any) -> str:
    """sha256 (lowercase hex) of the canonical JSON."""
    return sha256_bytes(canonical(value))


def sha256_bytes(data: bytes) -> str:
    """sha256 of bytes, lowercase hex."""
    return hashlib.sha256(data).hexdigest()


def sorted_sha256(texts: Iterable[str]) -> str:
    """sha256 of texts in order, joined by newlines; so the digest of task ids is defined (METHODS M10)."""
    return sha256_bytes("\n".join(sorted(texts)).encode("utf-8", "surrogatepass"))
