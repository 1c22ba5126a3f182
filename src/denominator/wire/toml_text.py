"""Texts as TOML strings."""

from __future__ import annotations

import json


def text(value: str) -> str:
    """A TOML string: its escapes are those of JSON. Half of a surrogate pair is no character, and becomes U+FFFD."""
    sound = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return json.dumps(sound, ensure_ascii=False).replace("\x7f", "\\u007f")
