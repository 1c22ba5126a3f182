"""`import auto`: which of the known formats a path is, or what was seen there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from denominator.errors import InputError, Problem
from denominator.importers.foreign import Importer
from denominator.records.foreign import Recognition
from denominator.wire.sources import Source, loose_json, loose_lines

MOST = 12
TEXT = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Recognised:
    """A format that reads a source, and why."""

    importer: Importer
    recognition: Recognition


def recognise_all(files: Source, importers: Iterable[Importer]) -> list[Recognised]:
    """Every format that claims a source; the sure ones alone where there are some."""
    found = [Recognised(one, said) for one in importers if (said := claimed(one, files)) is not None]
    return [one for one in found if one.recognition.sure] or found


def claimed(one: Importer, files: Source) -> Recognition | None:
    """What one importer says; a member that cannot be read is nothing that it knows, and stops no other format."""
    try:
        return one.recognise(files)
    except InputError:
        return None


def recognise_one(files: Source, importers: Sequence[Importer]) -> Recognised | None:
    """The format of a source; None where no importer knows it. InputError: several claim it."""
    found = recognise_all(files, importers)
    if len(found) > 1:
        told = [Problem(one.importer.name, one.recognition.why) for one in found]
        fix = f"name the folder or the file of one of them, or the format: denominator import {found[0].importer.name} PATH"
        raise InputError("several formats fit", where=files.name, problems=told, fix=fix)
    return found[0] if found else None


def part_of(recognised: Recognised, part: str, where: str) -> str:
    """The run that was asked for, or the only one. InputError lists the names."""
    parts = recognised.recognition.parts
    names = [one.name for one in parts]
    if part and part not in names:
        raise InputError(f"there is no run {part!r} in it", where=where, problems=_names(recognised), fix="--run NAME")
    if not part and len(parts) > 1:
        what = f"holds {len(parts)} runs of {recognised.importer.name}"
        raise InputError(what, where=where, problems=_names(recognised), fix="choose one: --run NAME")
    return part or (names[0] if names else "")


def _names(recognised: Recognised) -> list[Problem]:
    parts = recognised.recognition.parts
    told = [Problem(one.name, one.title or "a run") for one in parts[:MOST]]
    rest = len(parts) - MOST
    return [*told, Problem("...", f"and {rest} more")] if rest > 0 else told


def unknown_format(files: Source, known: Sequence[str], tried: str = "") -> InputError:
    """What was seen of a source that nothing reads."""
    names = files.names()
    kinds = Counter(f".{one.rpartition('.')[2]}" if "." in one.rpartition("/")[2] else "no ending" for one in names)
    counted = ", ".join(f"{many} {kind}" for kind, many in kinds.most_common(MOST))
    seen = [Problem("files", f"{len(names)}: {counted}" if names else "none")]
    seen += [Problem(name, what) for name in names[:MOST] if (what := _first_keys(files, name))]
    seen += [Problem("shapes of `import rows`", tried)] if tried else []
    fix = f"name the format (denominator import list): {', '.join(known)}; or map its columns: import rows --map"
    return InputError("no known format", where=files.name, problems=seen, fix=fix)


def _first_keys(files: Source, name: str) -> str:
    """What the first object of a member holds; nothing where it is no JSON."""
    if not name.endswith(TEXT):
        return "not looked into"
    try:
        if name.endswith(".json"):
            value = loose_json(files.read(name), name)
        else:
            value = next((one.value for one in loose_lines(files, name)), None)
    except InputError as error:
        return error.what
    return _keys(value)


def _keys(value: object) -> str:
    if isinstance(value, dict):
        shown = ", ".join(str(one)[:40] for one in list(value)[:MOST])
        return f"an object with {shown}" if shown else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}; the first: {_keys(value[0])}" if value else "an empty list"
    return f"{type(value).__name__}"
