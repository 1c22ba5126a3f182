"""What lies beside foreign rows of outcomes and is looked at for a resume: journals, artifacts, documents, epochs.

Files are read here only to know what they are; the rows that count are read strictly by the importer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from denominator.errors import InputError
from denominator.records.durability import ResumeRow
from denominator.wire.bounded import read_bytes

Object = dict[str, Any]
MAX_BYTES = 1 << 30
TABLES = (".jsonl", ".ndjson")
ARTIFACTS = ("artifacts", "artefacts", "evidence")
SHAS = ("manifest_sha", "manifest_sha256", "manifest_hash", "manifest_digest")
NO_VERDICT = "there are artifacts of it and no verdict: a file that lies there proves nothing"


def tables(paths: Sequence[Path]) -> Iterator[Path]:
    """Files of rows, at the top of a folder."""
    for path in paths:
        yield from (path.glob("*.jsonl") if path.is_dir() else [path] if path.suffix in TABLES else [])


def first_objects(path: Path) -> list[Object]:
    """The first rows of a file: enough to know what it is of."""
    return list(objects(path, 50))


def is_outcomes(rows: Iterable[Object]) -> bool:
    """Are these rows of outcomes?"""
    return any({"outcome", "resolved", "passed"} & set(row) for row in rows)


def is_journal(rows: Iterable[Object]) -> bool:
    """Are these durable points of a journal?"""
    return any("checkpoint" in row for row in rows)


def rows_of(paths: Sequence[Path], journals: Sequence[Path]) -> tuple[Path, ...]:
    """What holds the rows of outcomes: without a journal of checkpoints and artifacts beside them."""
    if not journals and artifacts(paths) is None:
        return tuple(paths)
    files = [one for path in paths for one in (sorted(path.iterdir()) if path.is_dir() else [path])]
    return tuple(one for one in files if one.is_file() and one not in journals and one.name != "case.json")


def artifacts(paths: Sequence[Path]) -> tuple[str, ...] | None:
    """The tasks that have a folder of artifacts, if such folders are kept beside the rows."""
    kept = [path / name for path in paths for name in ARTIFACTS if (path / name).is_dir()]
    return tuple(sorted(one.name for folder in kept for one in folder.iterdir() if one.is_dir())) if kept else None


def begun(known: set[str], journals: Iterable[Path], beside: Iterable[str]) -> Iterator[ResumeRow]:
    """Tasks without a row that a journal or a folder of artifacts names: a file that lies there is no verdict."""
    reached: dict[str, int] = {}
    for row in (value for path in journals for value in objects(path)):
        task, attempt = row.get("task_id"), row.get("attempt", 1)
        if isinstance(task, str) and isinstance(attempt, int):
            reached[task] = max(reached.get(task, 1), attempt)
    for task in sorted({*reached, *beside} - known):
        why = "the journal has it begun, and there is no verdict" if task in reached else NO_VERDICT
        yield ResumeRow(task_id=task, repeat=1, attempt=reached.get(task, 1), why=why)


def gone(kept: Iterable[str], beside: tuple[str, ...] | None) -> Iterator[str]:
    """Verdicts whose artifacts are gone."""
    for name in kept if beside is not None else ():
        if name.partition(" r")[0] not in (beside or ()):
            yield f"{name}: its verdict is kept; its artifacts are gone, so it is not quotable"


def documents(paths: Sequence[Path]) -> Iterator[tuple[str, Object]]:
    """JSON documents beside the rows and one folder below, which state the policy and the run id."""
    for path in paths:
        for file in sorted((*path.glob("*.json"), *path.glob("*/*.json"))) if path.is_dir() else [path]:
            if file.suffix != ".json" or file.name == "case.json":
                continue
            try:
                value = json.loads(read_bytes(file, MAX_BYTES))
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield (file.relative_to(path).as_posix() if path.is_dir() else file.name), value


def refuse_other_manifest(stated: Iterable[tuple[str, Object]]) -> None:
    """A run id belongs to one manifest: a second run under it would write over the first."""
    seen: dict[str, tuple[str, str]] = {}
    for name, document in stated:
        run, sha = document.get("run_id"), next((document[key] for key in SHAS if document.get(key)), None)
        if not isinstance(run, str) or not isinstance(sha, str):
            continue
        other, before = seen.setdefault(run, (sha, name))
        if other != sha:
            raise InputError(
                f"run id {run!r} is in use: {before} has manifest {other}, {name} has {sha}",
                where=name,
                fix="take a new run id, or resume it under the manifest that it was started with; nothing was written",
            )


def objects(path: Path, most: int | None = None) -> Iterator[Object]:
    """The objects of a file of rows, as far as they can be read: only to know what the file is of."""
    for line in read_bytes(path, MAX_BYTES).splitlines()[:most]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def epoch(value: Object) -> int:
    """The epoch of a row; one that states none is of the first."""
    found = value.get("epoch")
    return found if isinstance(found, int) and not isinstance(found, bool) else 1
