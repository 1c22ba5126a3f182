"""Which part each file of a foreign result plays: journal rows, verdicts, workspaces, the manifest, or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from denominator.errors import InputError, Problem
from denominator.records.rows import Defect
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import sha256_bytes
from denominator.wire.jsonl import Lines, read_jsonl
from denominator.wire.strict import loads

MAX_BYTES = 1 << 30
ROWS = (".jsonl", ".ndjson")
IGNORED = ("case.json",)
MANIFEST_KEYS = (
    "dataset", "faults", "fault_plan", "checkpoints", "run_id", "claim_id", "resume_policy", "taskset", "task_ids", "tasks",
    "runner", "repeats", "single_shot", "expected", "schema_version",
)  # fmt: skip
WITHOUT = ("no_fault", "nofault", "without_fault", "faults_off", "faultless", "baseline")
"""Words in the name of a file of verdicts by which it is of the paired run without faults."""
MOST = 40
Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One line of a foreign journal and where it stands."""

    where: str
    file: int
    sha256: str
    value: Object


@dataclass(slots=True)
class Parts:
    """The files of one foreign result, by the part that each plays."""

    rows: list[JournalLine] = field(default_factory=list)
    verdicts: list[tuple[str, Object]] = field(default_factory=list)
    paired: list[tuple[str, Object]] = field(default_factory=list)
    workspaces: list[tuple[str, Object]] = field(default_factory=list)
    manifest: dict[str, Any] = field(default_factory=dict)
    manifest_digest: str = ""
    defects: list[Defect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_parts(paths: Sequence[Path]) -> Parts:
    """Read the named files, or the files of a folder. InputError for a line or a document that cannot be read."""
    parts, journals = Parts(), 0
    manifests = []
    for path in _files(paths):
        data = read_bytes(path, MAX_BYTES)
        if path.suffix in ROWS:
            journals += _rows(parts, path.name, data, journals)
        elif path.suffix == ".json" and path.name not in IGNORED:
            document = _document(parts, path.name, data)
            if _is_manifest(document):
                manifests.append((path.name, data, document))
            elif document is not None:
                journals += _assign(parts, path.name, document, journals)
        elif path.name not in IGNORED:
            parts.notes.append(f"kept aside, not judged: {path.name}")
    _manifest(parts, manifests)
    if parts.problems:
        raise InputError(
            f"{len(parts.problems)} places cannot be read, so nothing is counted",
            where=", ".join(path.name for path in paths),
            fix="get the file again, or repair the named lines: none is skipped",
            problems=parts.problems[:MOST],
        )
    return parts


def _files(paths: Sequence[Path]) -> Iterable[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        yield from sorted(one for one in path.iterdir() if one.is_file() and not one.name.startswith("."))


def _document(parts: Parts, name: str, data: bytes) -> object:
    try:
        return loads(data, name, floats="decimal")
    except InputError as error:
        parts.problems += error.problems or [Problem(name, error.what)]
        return None


def _is_manifest(document: object) -> bool:
    keys = set(document) if isinstance(document, dict) else set()
    return bool(keys & set(MANIFEST_KEYS)) and not keys & {"tree_digest", "checkpoint"} and not _tells(document)


def _manifest(parts: Parts, found: Sequence[tuple[str, bytes, Any]]) -> None:
    """One manifest at most: two of them are two results."""
    if len(found) > 1:
        names = ", ".join(name for name, _, _ in found)
        fix = "name the files of one result"
        raise InputError(f"{len(found)} manifests, so nobody knows whose rows these are: {names}", fix=fix)
    for _, data, document in found:
        parts.manifest, parts.manifest_digest = document, sha256_bytes(data)


def _rows(parts: Parts, name: str, data: bytes, number: int) -> int:
    """The lines of a file of rows; 1 when it is a journal of checkpoints."""
    lines = read_jsonl(data, name)
    parts.problems += [Problem(f"{name}:{bad.number}", _told(bad.key, bad.what, bad.offset)) for bad in lines.bad]
    parts.defects += _damage(lines)
    parts.rows += [JournalLine(f"{name}:{line.number}", number, line.sha256, line.value) for line in lines.rows]
    return 1


def _told(key: str, what: str, offset: int) -> str:
    return f"{f'{key}: ' if key else ''}{what} (line at byte {offset})"


def _damage(lines: Lines) -> Iterable[Defect]:
    if lines.torn is not None:
        torn = lines.torn
        what = f"the last line was cut while it was written: {torn.length} bytes from byte {torn.offset} are kept aside"
        yield Defect(kind="torn_tail", where=f"{lines.where}@{torn.offset}", what=what, blocks=False)
    for number in lines.blank:
        yield Defect(kind="blank_line", where=f"{lines.where}:{number}", what="the line is empty", blocks=False)


def _assign(parts: Parts, name: str, document: object, number: int) -> int:
    """Verdicts, workspaces, or a journal that is one JSON array; anything else is kept aside and named."""
    objects = _objects(document)
    if objects and all("tree_digest" in one for one in objects):
        parts.workspaces += [(name, one) for one in objects]
    elif objects and all(_is_verdict(one) for one in objects):
        plain = any(word in name.lower().replace("-", "_") for word in WITHOUT)
        (parts.paired if plain else parts.verdicts).extend((name, one) for one in objects)
    elif isinstance(document, list) and any("checkpoint" in one for one in objects):
        parts.rows += [JournalLine(f"{name}:{at}", number, "", one) for at, one in enumerate(objects, start=1)]
        return 1
    else:
        parts.notes.append(f"kept aside, not judged: {name}")
    return 0


def _objects(document: object) -> list[Object]:
    """A list of objects, one object that names its task, or a mapping from task to object."""
    if isinstance(document, list):
        return [one for one in document if isinstance(one, dict)] if all(isinstance(o, dict) for o in document) else []
    if not isinstance(document, dict):
        return []
    if "task_id" in document or "tree_digest" in document:
        return [document]
    if document and all(isinstance(one, dict) for one in document.values()):
        return [{"task_id": task, **one} for task, one in document.items()]
    inner = [one for one in document.values() if isinstance(one, dict | list)]
    return _objects(inner[0]) if len(inner) == 1 else []


def _is_verdict(one: Object) -> bool:
    return (
        "task_id" in one
        and bool({"interrupted", "status", "outcome", "verdict"} & set(one))
        and "checkpoint" not in one
    )


def _tells(document: object) -> bool:
    """Are these verdicts or workspaces, and not a manifest that has them beside other things?"""
    objects = _objects(document)
    return bool(objects) and all(_is_verdict(one) or "tree_digest" in one for one in objects)
