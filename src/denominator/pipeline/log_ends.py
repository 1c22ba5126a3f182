"""What is kept of imported text logs: digest and true size of each, a short one whole, of a long one both ends."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from denominator.readers.logs import LogRead
from denominator.records.events import Json
from denominator.wire.canonical import canonical
from denominator.wire.durable import write_file


def keep_logs(folder: Path, logs: Iterable[LogRead]) -> None:
    """Write `index.json` and the bytes, exact, under their log's digest; nothing where there are no logs."""
    index: list[Json] = []
    for log in sorted(logs, key=lambda one: one.name):
        folder.mkdir(exist_ok=True)
        whole = len(log.head) + len(log.tail) == log.size
        parts = {".log": log.head + log.tail} if whole else {".head": log.head, ".tail": log.tail}
        for ending, data in parts.items():
            write_file(folder / f"{log.sha256}{ending}", data)
        index.append(
            {
                "name": log.name,
                "sha256": log.sha256,
                "bytes": log.size,
                "head_bytes": len(log.head),
                "tail_bytes": len(log.tail),
                "whole": whole,
                "formatted": log.formatted,
            }
        )
    if index:
        write_file(folder / "index.json", canonical(index) + b"\n")
