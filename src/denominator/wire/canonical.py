"""The one byte form of a value, and digests. Keys sorted by code point, no spaces, UTF-8, integers and text only."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from denominator.errors import InputError
from denominator.records.events import Json
from denominator.wire.codec import to_json
from denominator.wire.encode import any_json
from denominator.wire.scan import DEPTH_MAX


def canonical(value: Any) -> bytes:
    """Canonical JSON of a record or of plain JSON values (records inside lists and mappings are fine)."""
    try:
        return json.dumps(
            _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        ).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            "half of a surrogate pair cannot be written", where=error.object[: error.start][-60:]
        ) from None


def _plain(value: Any) -> Json:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_json(value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping) and any(dataclasses.is_dataclass(each) for each in value.values()):
        return {str(name): _plain(each) for name, each in value.items()}
    return any_json(value, None, DEPTH_MAX)


def digest(value: Any) -> str:
    """sha256 (lowercase hex) of the canonical JSON."""
    return sha256_bytes(canonical(value))


def sha256_bytes(data: bytes) -> str:
    """sha256 of bytes, lowercase hex."""
    return hashlib.sha256(data).hexdigest()
