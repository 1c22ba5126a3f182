"""What an agent left besides its tree: the ask, abstain and tool-log files, and canary tokens in any of it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from denominator.ports import Blobs
from denominator.wire.trees import read_file

FILES = {"ask": "ask.md", "abstain": "abstain.md", "tools": "tools.jsonl"}
MAX_BYTES = 16 << 20
LEAST_BYTES = 8


def read_out(out: Path, blobs: Blobs) -> dict[str, tuple[str, int]]:
    """Store the known files of the output folder: stream -> (blob, bytes). Links and oversized files are left alone."""
    found = {}
    for stream, name in FILES.items():
        try:
            data = read_file(out, name, MAX_BYTES)
        except OSError:
            continue
        if data.strip():
            found[stream] = (blobs.put(data), len(data))
    return found


def canary_hits(token: str, places: Mapping[str, bytes]) -> tuple[str, ...]:
    """Where a canary token occurs, plainly or in a common encoding."""
    if not token:
        return ()
    forms = encodings(token)
    return tuple(
        f"{place}: {name}" for place, data in sorted(places.items()) for name, form in forms.items() if form in data
    )


def encodings(token: str) -> dict[str, bytes]:
    """The token as it may be written; of base64 only the parts that no neighbour can change.

    A form that is too short would be found anywhere; such a token is looked for plainly only.
    """
    raw = token.encode()
    forms = {"reversed": raw[::-1], "hex": raw.hex().encode(), "percent": quote(token, safe="").encode()}
    for shift in range(3):
        packed = base64.b64encode(b"\0" * shift + raw).rstrip(b"=")
        forms[f"base64+{shift}"] = packed[4 if shift else 0 : len(packed) - 2]
    return {"plain": raw, **{name: form for name, form in forms.items() if len(form) >= LEAST_BYTES}}
