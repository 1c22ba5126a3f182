"""What an agent left besides its tree: the ask, abstain and tool-log files."""

from __future__ import annotations

from pathlib import Path

from denominator.ports import Blobs
from denominator.wire.trees import read_file

FILES = {"ask": "ask.md", "abstain": "abstain.md", "tools": "tools.jsonl"}
MAX_BYTES = 16 << 20


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
