"""The rows of a foreign journal: durable points by task, repeat and attempt. Unknown kinds are kept and never fatal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from denominator.errors import InputError, Problem
from denominator.faultbench.foreign_files import JournalLine, Parts
from denominator.records.faults import Text
from denominator.records.rows import Defect
from denominator.records.values import NotMeasured
from denominator.records.words import Checkpoint

TASK = ("task_id", "task", "instance_id")
DIGEST = ("payload_digest", "digest", "payload_sha256", "sha256")
TREE = ("post_digest", "tree_digest", "post")
EPOCH = ("epoch", "incarnation")
WHEN = ("ts", "time", "timestamp", "seq", "t")
TOKENS = ("tokens", "total_tokens")
MOST = 40
UNSTATED = NotMeasured("not stated")
DEFAULT = tuple(str(point) for point in Checkpoint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One durable point. `rolled_back`: the journal itself says that the effect was undone.

    `place`: where the process worked ("" where nothing is said); `reset`: its epoch began in a fresh workspace, declared.
    """

    task: str
    repeat: int
    attempt: int
    checkpoint: str
    digest: Text
    tree: Text
    epoch: int
    wall_ms: int | NotMeasured
    tokens: int | NotMeasured
    calls: int | NotMeasured
    rolled_back: bool
    where: str
    place: str = ""
    reset: bool = False


def declared_checkpoints(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """What the manifest declares, else the five of ours."""
    for table in (manifest, manifest.get("faults"), manifest.get("journal"), manifest.get("runner")):
        names = table.get("checkpoints") if isinstance(table, Mapping) else None
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return tuple(names)
    return DEFAULT


def points_of(parts: Parts, declared: Sequence[str]) -> tuple[Point, ...]:
    """Every row with a checkpoint, whatever their order. InputError names rows without a task, wrong numbers, and
    checkpoints that nobody declared.
    """
    lines = _once(parts)
    kept = [line for line in lines if line.value.get("checkpoint") is None]
    parts.defects += _unknown_kinds(kept)
    rows = [line for line in lines if line.value.get("checkpoint") is not None]
    repeats = _repeats(rows)
    points = [point for line in rows if (point := _point(parts, line, repeats)) is not None]
    strange = sorted({(point.checkpoint, point.where) for point in points if point.checkpoint not in declared})
    _refuse(parts.problems, strange, declared)
    return tuple(points)


def _refuse(problems: Sequence[Problem], strange: Sequence[tuple[str, str]], declared: Sequence[str]) -> None:
    if problems:
        raise InputError(
            f"{len(problems)} rows cannot be read, so nothing is counted",
            where="journal",
            fix="repair the named rows: none is skipped",
            problems=problems[:MOST],
        )
    if strange:
        names = ", ".join(dict.fromkeys(name for name, _ in strange))
        raise InputError(
            f"checkpoints that nobody declared: {names}",
            where="journal",
            fix=f'declare them (manifest: "checkpoints"); declared are: {", ".join(declared) or "none"}',
            problems=[Problem(where, f"checkpoint {name!r} was never declared") for name, where in strange[:MOST]],
        )


def _once(parts: Parts) -> list[JournalLine]:
    """Lines without copies: the same row with the same time or number in it was written twice, and happened once."""
    seen: dict[tuple[str, int], str] = {}
    kept = []
    for line in parts.rows:
        key = (_plain(line.value), line.file)
        if key in seen and any(line.value.get(name) is not None for name in WHEN):
            what = f"the same row as {seen[key]}, time or number included: counted once"
            parts.defects.append(Defect(kind="duplicate_row", where=line.where, what=what, blocks=False))
            continue
        seen.setdefault(key, line.where)
        kept.append(line)
    return kept


def _plain(value: object) -> str:
    """A row as text, whatever the order of its keys."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key!r}:{_plain(value[key])}" for key in sorted(value)) + "}"
    return "[" + ",".join(map(_plain, value)) + "]" if isinstance(value, list) else repr(value)


def _unknown_kinds(lines: Iterable[JournalLine]) -> Iterable[Defect]:
    counts = Counter(
        str(next((line.value[key] for key in ("kind", "event", "type") if key in line.value), "none")) for line in lines
    )
    if counts:
        told = ", ".join(f"{name} ({number})" for name, number in sorted(counts.items()))
        yield Defect(
            kind="unknown_kind",
            where="journal",
            what=f"rows without a checkpoint are kept and not judged, by kind: {told}",
            blocks=False,
        )


def _repeats(rows: Iterable[JournalLine]) -> Mapping[int, int]:
    """Files that hold the same attempts and state no repeat are repeats of one plan, in the order of their names."""
    files: dict[int, set[str]] = {}
    for line in rows:
        if "repeat" in line.value:
            return {}
        files.setdefault(line.file, set()).add(str(_first(line.value, TASK)))
    shared = set.intersection(*files.values()) if len(files) > 1 else set()
    return {file: at for at, file in enumerate(sorted(files), start=1)} if shared else {}


def _point(parts: Parts, line: JournalLine, repeats: Mapping[int, int]) -> Point | None:
    value, task = line.value, _first(line.value, TASK)
    wrong = []
    if not isinstance(task, str) or not task:
        wrong.append("task_id is missing or no text")
    if not isinstance(value["checkpoint"], str):
        wrong.append("checkpoint is no text")
    numbers = {}
    for name, found, least in (
        ("attempt", value.get("attempt", 1), 1),
        ("repeat", value.get("repeat", repeats.get(line.file, 1)), 1),
        ("epoch", _first(value, EPOCH, 1), 0),
    ):
        if not isinstance(found, int) or isinstance(found, bool) or found < least:
            wrong.append(f"{name} is no whole number of at least {least}")
        numbers[name] = found
    parts.problems += [Problem(line.where, what) for what in wrong]
    if wrong:
        return None
    return Point(
        task=str(task),
        checkpoint=value["checkpoint"],
        digest=_text(_first(value, DIGEST)),
        tree=_text(_first(value, TREE)),
        wall_ms=_count(value.get("wall_ms")),
        tokens=_count(_first(value, TOKENS)),
        calls=_count(value.get("calls")),
        rolled_back=value.get("rolled_back") is True,
        where=line.where,
        place=value["place"] if isinstance(value.get("place"), str) else "",
        reset=value.get("reset") not in (None, False, ""),
        **numbers,
    )


def _first(value: Mapping[str, Any], names: Iterable[str], default: object = None) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), default)


def _text(value: object) -> Text:
    return value if isinstance(value, str) and value else UNSTATED


def _count(value: object) -> int | NotMeasured:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else UNSTATED


def points_at(points: Iterable[Point], checkpoint: str) -> list[Point]:
    """The rows of one checkpoint."""
    return [one for one in points if one.checkpoint == checkpoint]
