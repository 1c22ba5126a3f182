"""What a file says, as a digest: the same rows in another order are the same rows."""

from __future__ import annotations

import hashlib

from denominator.errors import DenominatorError
from denominator.importers.files import basename
from denominator.wire.byvalue import by_value
from denominator.wire.canonical import sorted_sha256
from denominator.wire.codec import loads

LINES = ("jsonl", "ndjson", "csv")


def content_digest(name: str, data: bytes) -> str:
    """sha256 of a file's content without the order of its rows; of its bytes where it is neither rows nor JSON.

    Rows of a line each: over the sorted sha256 of the lines. JSON: over its value, the elements of a list sorted.
    """
    ending = basename(name).lower().rpartition(".")[2]
    if ending in LINES:
        return sorted_sha256(hashlib.sha256(line).hexdigest() for line in data.splitlines())
    try:
        value = loads(data, name, floats="decimal")
        if isinstance(value, list):
            return sorted_sha256(by_value(item) for item in value)
        return hashlib.sha256(by_value(value).encode("utf-8", "surrogatepass")).hexdigest()
    except (DenominatorError, ValueError, RecursionError):
        return hashlib.sha256(data).hexdigest()
