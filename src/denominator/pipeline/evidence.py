"""What a command left besides its tree: what it printed; of an agent the ask, abstain and tool-log files."""

from __future__ import annotations

from pathlib import Path

from denominator.ports import Blobs, Ended
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


def printed(ended: Ended, blobs: Blobs) -> dict[str, tuple[str, int]]:
    """Store what a sandboxed command printed: stream -> (blob, bytes); a silent stream is not in it."""
    streams = {"stdout": ended.stdout, "stderr": ended.stderr}
    return {name: (blobs.put(data), len(data)) for name, data in streams.items() if data}
