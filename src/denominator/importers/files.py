"""Bytes of one file -> rows and documents. Nothing is skipped: what cannot be read is a defect with its place."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.errors import InputError
from denominator.importers.csvrows import read_csv
from denominator.importers.raw import RawRow, digest_of
from denominator.importers.report import Repair, TornTail
from denominator.importers.values import kind_of
from denominator.records.rows import Defect
from denominator.wire.codec import loads
from denominator.wire.jsonl import BadLine, read_jsonl

ROW_LISTS = ("rows", "runs", "results", "outcomes", "events", "trials", "attempts", "traces")
HEADS = ("_fingerprint", "_header", "header")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """One file taken apart. `document` is a JSON object beside the rows: a manifest, a first-line header.
    `single` marks a file that is one row."""

    name: str
    rows: tuple[RawRow, ...] = ()
    document: Mapping[str, object] = field(default_factory=dict)
    head: str = ""
    defects: tuple[Defect, ...] = ()
    torn: tuple[TornTail, ...] = ()
    repairs: tuple[Repair, ...] = ()
    physical_lines: int = 0
    single: bool = False

    @property
    def stem(self) -> str:
        """The file's name without folder and endings, in lower case."""
        return basename(self.name).split(".")[0].lower()


def basename(name: str) -> str:
    """The last part of a path, whichever way its slashes lean."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def folder_of(name: str) -> str:
    """The folder of a file, whichever way its slashes lean; empty at the top."""
    return name.replace("\\", "/").rpartition("/")[0]


def parse(name: str, data: bytes) -> Parsed | None:
    """A file taken apart, or None when it is not JSON, JSONL or CSV."""
    ending = basename(name).lower().rsplit(".", 1)[-1] if "." in basename(name) else ""
    start = data.lstrip()[:1]
    if ending == "csv":
        return Parsed(name=name, rows=read_csv(name, data), physical_lines=data.count(b"\n"))
    if ending in ("jsonl", "ndjson") and start != b"[":
        return _lines(name, data)
    if ending in ("json", "jsonl", "ndjson") or (not ending and start in (b"{", b"[")):
        return _lines(name, data) if _looks_like_lines(data) else _document(name, data)
    return None


def _looks_like_lines(data: bytes) -> bool:
    """Is a `.json` file really one object a line? Two lines that each start an object, the first one closed."""
    first, _, rest = data.strip().partition(b"\n")
    return first.startswith(b"{") and first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")


def _document(name: str, data: bytes) -> Parsed:
    value = loads(data, name, floats="decimal")
    if isinstance(value, list):
        return _array(name, value, {})
    if not isinstance(value, dict):
        raise InputError(f"holds {kind_of(value)}, not an object or a list of rows", where=name)
    for key in ROW_LISTS:
        items = value.get(key)
        if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
            return _array(name, items, {k: v for k, v in value.items() if k != key})
    return Parsed(name=name, document=value)


def _array(name: str, items: list[object], rest: Mapping[str, object]) -> Parsed:
    rows = [RawRow(name, place, digest_of(item), item) for place, item in enumerate(items, 1) if isinstance(item, dict)]
    bad = [
        Defect(kind="bad_row", where=f"{name}:{place}", what=f"element {place} is {kind_of(item)}, not an object")
        for place, item in enumerate(items, 1)
        if not isinstance(item, dict)
    ]
    head, described, told = _head(tuple(rows))
    return Parsed(
        name=name,
        rows=told,
        document={**rest, **described},
        head=head,
        defects=tuple(bad),
        physical_lines=len(items),
    )


def _lines(name: str, data: bytes) -> Parsed:
    lines = read_jsonl(data, name)
    rows = tuple(RawRow(name, line.number, line.sha256, line.value) for line in lines.rows)
    head, document, rows = _head(rows)
    repairs = tuple(found for bad in lines.bad if (found := _repair(name, bad, data)))
    defects = [_bad_line(name, bad, repairs) for bad in lines.bad]
    defects += [
        Defect(kind="blank_line", where=f"{name}:{number}", what="the line is empty", blocks=False)
        for number in lines.blank
    ]
    torn: tuple[TornTail, ...] = ()
    if lines.torn:
        kept = b64encode(lines.torn.raw).decode("ascii")
        tail = TornTail(file=name, offset=lines.torn.offset, length=lines.torn.length, base64=kept)
        torn = (tail,)
        defects.append(_torn(tail))
    return Parsed(
        name=name,
        rows=rows,
        document=document,
        head=head,
        defects=tuple(defects),
        torn=torn,
        repairs=repairs,
        physical_lines=len(lines.rows) + len(lines.bad) + len(lines.blank) + bool(lines.torn),
    )


def _head(rows: tuple[RawRow, ...]) -> tuple[str, Mapping[str, object], tuple[RawRow, ...]]:
    """Split off a first line that describes the run instead of one task."""
    for key in HEADS:
        if rows and isinstance(described := rows[0].value.get(key), dict):
            return key, described, rows[1:]
    return "", {}, rows


def _torn(torn: TornTail) -> Defect:
    what = f"the last line was cut while it was written: {torn.length} bytes from byte {torn.offset} are kept aside"
    return Defect(kind="torn_tail", where=f"{torn.file}@{torn.offset}", what=what, blocks=False)


def _bad_line(name: str, bad: BadLine, repairs: tuple[Repair, ...]) -> Defect:
    key = f"{bad.key}: " if bad.key else ""
    ids = next((one.recoverable for one in repairs if one.line == bad.number), ())
    hint = f"; recoverable on request: {', '.join(ids)}" if ids else ""
    what = f"line {bad.number} at byte {bad.offset}: {key}{bad.what}{hint}"
    return Defect(kind="bad_line", where=f"{name}:{bad.number}", what=what, keys=ids)


def _repair(name: str, bad: BadLine, data: bytes) -> Repair | None:
    """The objects that two writers put on one line, if the line holds nothing else."""
    end = data.find(b"\n", bad.offset)
    body = data[bad.offset : end if end >= 0 else len(data)].decode("utf-8", "replace").strip()
    found: list[str] = []
    while body:
        try:
            value, stop = json.JSONDecoder().raw_decode(body)
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict):
            return None
        found.append(str(value.get("task_id", value.get("id", f"object {len(found) + 1}"))))
        body = body[stop:].lstrip()
    return Repair(file=name, line=bad.number, offset=bad.offset, recoverable=tuple(found)) if len(found) > 1 else None
