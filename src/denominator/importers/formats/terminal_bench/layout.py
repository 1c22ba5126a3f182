"""Where runs stand in a source: one a folder, some of them copied into others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_json

RESULTS, METADATA, LOCK = "results.json", "run_metadata.json", "tb.lock"
HEAD = 64 << 10
MOST_NAMED = 20


@dataclass(slots=True, kw_only=True)
class Place:
    """A run folder. `copies` are folders that hold the same run again, `inside` other runs that lie in it."""

    root: str
    results: str = ""
    name: str = ""
    mark: tuple[int, str] = (0, "")
    copies: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def file(self, name: str) -> str:
        """A file of the run."""
        return f"{self.root}/{name}" if self.root else name


def runs_in(files: Source) -> tuple[Place, ...]:
    """The runs of a source, each once: a copy inside another run, or beside it, is named with the run and not read again.

    Where the source is itself a run folder, it is the only run; whatever else lies in it is named.
    """
    found = sorted(_places(files), key=lambda one: (one.root.count("/") + bool(one.root), one.root))
    kept: list[Place] = []
    for one in found:
        same = next((other for other in kept if one.mark[1] and other.mark == one.mark), None)
        for outer in kept:
            if one.root.startswith(f"{outer.root}/" if outer.root else ""):
                outer.inside.append(one.root)
        if same is not None:
            same.copies.append(one.root)
        elif not (kept and kept[0].root == "" and not found[0].root):
            kept.append(one)
    short = [one.root.rpartition("/")[2] for one in kept]
    for one, name in zip(kept, short, strict=True):
        one.name = (name if short.count(name) == 1 else one.root) or files.name.removesuffix(".json")
    return tuple(sorted(kept, key=lambda one: one.root))


def _places(files: Source) -> Iterable[Place]:
    """Folders with results of a whole run, or with what a run writes when it begins."""
    folders: dict[str, set[str]] = {}
    for name in files.names():
        folder, _, file = name.rpartition("/")
        if file in (RESULTS, METADATA, LOCK) or ("/" not in name and len(files.names()) == 1):
            folders.setdefault(folder, set()).add(file)
    for root, inside in folders.items():
        place = Place(root=root)
        table = RESULTS if RESULTS in inside else next(iter(inside)) if inside.isdisjoint((METADATA, LOCK)) else ""
        if table and _is_run(_head(files, place.file(table))):
            place.results = place.file(table)
            place.mark = _mark(files, place.results)
        elif not (inside & {METADATA, LOCK}) or not _begun(files, place, inside):
            continue
        yield place


def _is_run(head: bytes) -> bool:
    """The results of a run hold a list of trials; those of one trial do not."""
    listed = b'"results"' in head and b'"trial_name"' in head and b'"task_id"' in head
    return listed or (b'"results"' in head and b'"n_resolved"' in head and b'"n_unresolved"' in head)


def _mark(files: Source, name: str) -> tuple[int, str]:
    """What copies share: size and first bytes, where each run has ids and times of its own. Who reads one compares the rest."""
    return files.size(name), hashlib.sha256(_head(files, name)).hexdigest()


def _begun(files: Source, place: Place, inside: set[str]) -> bool:
    metadata = _head(files, place.file(METADATA)) if METADATA in inside else b""
    lock = _head(files, place.file(LOCK)) if LOCK in inside else b""
    return (b'"run_id"' in metadata and b'"n_attempts"' in metadata) or (
        b"terminal-bench" in lock and b'"harness"' in lock
    )


def _head(files: Source, name: str) -> bytes:
    try:
        with files.open(name) as stream:
            return stream.read(HEAD)
    except InputError:
        return b""


def holds(files: Source, name: str) -> bool:
    """Is there such a member?"""
    try:
        return files.size(name) >= 0
    except InputError:
        return False


def document(files: Source, name: str, told: Told, what: str) -> Mapping[str, Any]:
    """A JSON object of a run; empty where it is missing, or damaged (a defect says so)."""
    if not name or not holds(files, name):
        return {}
    told.files[name] = what
    try:
        found = loose_json(files.read(name), name)
    except InputError as error:
        told.say("broken_file", name, f"{error.what}; what it says is unknown")
        return {}
    if isinstance(found, dict):
        return found
    told.say("broken_file", name, "is no JSON object; what it says is unknown")
    return {}


def table(value: object) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def word(value: object) -> str:
    """A text that says something, or ""."""
    return value.strip() if isinstance(value, str) else ""


def whole(value: object) -> int | None:
    """A whole number from 1."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
