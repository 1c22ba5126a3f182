"""What a foreign command left in its workspace: effects, state, and its own journal where that is lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from denominator.records.faults import CHECKPOINTS, Count
from denominator.records.values import NotMeasured
from denominator.wire.jsonl import read_jsonl
from denominator.wire.trees import read_file, read_tree, tree_digest

BESIDE = ("-wal", "-shm", "-journal")
NO_JOURNAL = NotMeasured("no journal of the command is read")


def count_effects(work: Path, artifact: str, text: str, effects: int) -> Count:
    """How often the effect was performed: lines of the artifact that contain the text (all without one), by `effects`.

    Rounded up, so that a half of a second application is a second one.
    """
    try:
        data = read_file(work, artifact)
    except FileNotFoundError:
        return 0
    except OSError as error:
        return NotMeasured(f"the artifact cannot be read: {error.strerror or error}")
    lines = [line for line in data.decode("utf-8", "replace").splitlines() if text in line]
    return -(-len(lines) // effects)


def state_of(work: Path, journal: str) -> str:
    """The digest of a workspace without the command's own journal, which may be written at any time."""
    entries = read_tree(work).entries
    return tree_digest(entry for entry in entries if not (journal and _is_of(entry.path, journal)))


def _is_of(path: str, journal: str) -> bool:
    """Is it the journal, a file of a journal that is a folder, or what SQLite writes beside it?"""
    return path.startswith(f"{journal}/") or path in (journal, *(f"{journal}{end}" for end in BESIDE))


def rows_of(work: Path, journal: str, task: str) -> list[Mapping[str, Any]] | NotMeasured:
    """The rows of its journal that are about a task; unknown where there is none, or where it is no JSON by lines."""
    if not journal:
        return NO_JOURNAL
    try:
        found = read_jsonl(read_file(work, journal), journal)
    except OSError:
        return []
    if found.bad:
        return NotMeasured("the journal of the command is no JSON by lines")
    return [row.value for row in found.rows if row.value.get("task_id", task) == task]


def checkpoints_in(work: Path, journal: str, task: str) -> tuple[str, ...] | NotMeasured:
    """Checkpoints that its journal holds now."""
    rows = rows_of(work, journal, task)
    if isinstance(rows, NotMeasured):
        return rows
    names = (str(row.get("checkpoint", "")) for row in rows)
    return tuple(dict.fromkeys(name for name in names if name in CHECKPOINTS))


def redrafts_in(work: Path, journal: str, task: str) -> Count:
    """Digests beyond the first for one (attempt, checkpoint): work that was done anew and came out otherwise."""
    rows = rows_of(work, journal, task)
    if isinstance(rows, NotMeasured):
        return rows
    seen = {(str(one), str(two), str(three)) for one, two, three in _digests(rows)}
    return len(seen) - len({(one, two) for one, two, _ in seen})


def _digests(rows: list[Mapping[str, Any]]) -> Iterator[tuple[Any, Any, Any]]:
    for row in rows:
        if "payload_digest" in row and "checkpoint" in row:
            yield row.get("attempt", 1), row["checkpoint"], row["payload_digest"]
