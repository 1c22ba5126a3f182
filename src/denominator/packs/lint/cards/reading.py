"""Foreign files -> raw cards, each with the line at which it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from denominator.errors import InputError, Problem
from denominator.packs.layout import PACK_FILE
from denominator.packs.lint.cards import keys
from denominator.wire.bounded import read_bytes
from denominator.wire.jsonl import read_jsonl
from denominator.wire.strict import loads

FILE_MAX = 256 << 20
NAMES = (
    "tasks.jsonl",
    "tasks.json",
    "task.json",
    "cards.jsonl",
    "cards.json",
    "pack_scan.json",
    "scan.json",
    "pack_scan.jsonl",
)
SUFFIXES = (".jsonl", ".ndjson", ".json")


@dataclass(frozen=True, slots=True)
class RawCard:
    """One object of a file: where it stands, its id if it has one, its values by plain key."""

    where: str
    name: str
    values: Mapping[str, Any]


def card_files(path: Path) -> tuple[Path, ...]:
    """The card files that a path names: itself, or those of a folder that is no pack. Empty: it is no matter of cards.

    Raises InputError for a file that can hold no cards, and for one that is not there.
    """
    if path.is_dir():
        return () if (path / PACK_FILE).exists() else tuple(path / name for name in NAMES if (path / name).is_file())
    is_named_so = path.suffix.lower() in SUFFIXES
    if path.exists() and not is_named_so:
        fix = f"task cards are read from files that end in {' or '.join(SUFFIXES)}"
        raise InputError("is a file, so it is no pack", where=str(path), fix=fix)
    if is_named_so and not path.exists():
        raise InputError("no such file", where=str(path), fix="name a pack's folder, or a file of task cards")
    return (path,) if is_named_so else ()


def read_cards(path: Path) -> tuple[RawCard, ...]:
    """Every card of a `.jsonl` or `.json` file. Raises InputError that names every line that cannot be read."""
    data = read_bytes(path, FILE_MAX)
    if path.suffix.lower() == ".json":
        found = list(_objects(loads(data, str(path), floats="decimal"), path))
    else:
        lines = read_jsonl(data, path.name)
        problems = [Problem(f"{path.name}:{bad.number}", bad.what) for bad in lines.bad]
        problems += [Problem(path.name, "the last line is torn")] if lines.torn else []
        if problems:
            raise InputError("holds lines that cannot be read", where=str(path), problems=problems, fix="mend them")
        found = [(f"{path.name}:{line.number}", "", line.value) for line in lines.rows]
    wrong = [Problem(where, "is no object") for where, _, value in found if not isinstance(value, dict)]
    if wrong or not found:
        what = "holds no task cards" if not found else "holds values that are no cards"
        raise InputError(what, where=str(path), problems=wrong, fix="one JSON object a task")
    return tuple(_raw(where, name, value) for where, name, value in found)


def _objects(document: Any, path: Path) -> Iterator[tuple[str, str, Any]]:
    """One card, a list of cards, a list under `tasks`, or cards by their ids."""
    name = path.name
    if isinstance(document, dict) and isinstance(document.get("tasks"), list | dict):
        document = document["tasks"]
    if isinstance(document, list):
        yield from ((f"{name}[{number}]", "", one) for number, one in enumerate(document))
    elif isinstance(document, dict) and document and all(isinstance(one, dict) for one in document.values()):
        yield from ((f"{name} {key}", key, one) for key, one in document.items())
    else:
        yield name, path.stem, document


def _raw(where: str, name: str, value: dict[str, Any]) -> RawCard:
    values = {keys.plain(key): one for key, one in value.items()}
    stated = next((values[key] for key in keys.ID if isinstance(values.get(key), str) and values[key].strip()), name)
    return RawCard(where, stated, values)
