"""The digest of a tool's result: of its exact bytes, so that new output is new evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from denominator.records.rows import Text
from denominator.records.values import NotMeasured
from denominator.wire.arguments import plain_json

MARKS = ("cache_control",)
"""Keys that a client puts on whatever part happens to stand last; they are no part of the result."""


def result_digest(content: Any) -> Text:
    """sha256 of a result as the model read it: the bytes of a text, or of a list of text parts one after another.

    Anything else (pictures, objects) counts in canonical JSON, without marks that only steer the provider's cache.
    """
    text = content if isinstance(content, str) else _joined(content)
    try:
        data = text if text is not None else json.dumps(plain_json(_unmarked(content)), sort_keys=True)
    except RecursionError:
        return NotMeasured("the result is nested too deeply")
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()


def _joined(content: Any) -> str | None:
    """The text of a list of nothing but text parts; None for anything else."""
    if not isinstance(content, list):
        return None
    parts = [_text(part) for part in content]
    return None if None in parts else "".join(part for part in parts if part is not None)


def _text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type") not in ("text", "input_text", "output_text"):
        return None
    text = part.get("text")
    return text if isinstance(text, str) else None


def _unmarked(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _unmarked(value) for key, value in content.items() if key not in MARKS}
    return [_unmarked(each) for each in content] if isinstance(content, list) else content


def joined_digest(digests: Iterable[Text]) -> Text:
    """One digest for a call with several results, in their order."""
    found = list(digests)
    if len(found) == 1:
        return found[0]
    known = [one for one in found if isinstance(one, str)]
    if len(known) < len(found):
        return next(one for one in found if not isinstance(one, str))
    return hashlib.sha256("\n".join(known).encode()).hexdigest()
