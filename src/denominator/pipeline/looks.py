"""Looks at a running comparison: each is written down beside both runs before anything is shown."""

from __future__ import annotations

from pathlib import Path

from denominator.pipeline.world import OpenRun
from denominator.records.replays import Look
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import alone_in, write_file

FILE = "looks.jsonl"
BYTES_MAX = 16 << 20


def looks_of(run: OpenRun) -> tuple[Look, ...]:
    """Every look at a comparison that this run is in, in the order in which they were taken."""
    return read_looks(run.folder.root / FILE)


def read_looks(path: Path) -> tuple[Look, ...]:
    """The looks of one file; none where there is no file. Raises InputError for a line that is none."""
    if not path.is_file():
        return ()
    lines = read_bytes(path, BYTES_MAX).splitlines()
    return tuple(
        from_json(Look, loads(line, f"{path}:{number}"), f"{path}:{number}") for number, line in enumerate(lines, 1)
    )


def record_look(runs: tuple[OpenRun, ...], look: Look) -> None:
    """Write a look beside every run that it was at; durable before it is shown, and never half a line."""
    for run in runs:
        path = run.folder.root / FILE
        with alone_in(run.folder.root):
            before = read_bytes(path, BYTES_MAX) if path.is_file() else b""
            write_file(path, before + canonical(look) + b"\n")
