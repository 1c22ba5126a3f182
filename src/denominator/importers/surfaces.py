"""Surfaces that a foreign row says were called, against the frozen specification beside the rows (`readers.api`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from denominator.importers.columns import Cells
from denominator.importers.raw import json_text
from denominator.readers.api.called import invented
from denominator.records.facts import SurfaceFacts
from denominator.records.values import NotMeasured

PYTHON = ("", "python", "py", "python3")
NO_NAMES = NotMeasured("what was called is no list of names")
NO_SPEC = NotMeasured("no frozen specification beside the rows")


@dataclass(frozen=True, slots=True)
class Frozen:
    """Frozen specifications by file name, as bytes; libraries that the documents declare."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()


def frozen_of(documents: Iterable[tuple[str, Mapping[str, object]]]) -> Frozen:
    """Specifications as their readers take them; `libraries` in one declares packages."""
    files, libraries = {}, []
    for name, document in documents:
        files[name if name.endswith(".json") else f"{name}.json"] = json_text(document).encode("utf-8", "surrogatepass")
        told = document.get("libraries", document.get("declared_libraries"))
        libraries += [one for one in told if isinstance(one, str)] if isinstance(told, list) else []
    return Frozen(files, tuple(libraries))


def surface_facts(cells: Cells, frozen: Frozen) -> SurfaceFacts | NotMeasured:
    """What the row called minus the specification, its own definitions, the language and declared libraries."""
    called, language = cells.names("called"), cells.text("language").lower()
    if called is None:
        return NO_NAMES
    if not frozen.files:
        return NO_SPEC
    libraries = (*frozen.libraries, *(cells.names("libraries") or ()))
    facts = invented(called, cells.names("defined") or (), frozen.files, libraries)
    if language in PYTHON:
        return facts
    # Only paths mean the same in every language: names of another one need its own table.
    why = f"no table of {language} is at hand"
    names = tuple(name for name in facts.invented if "/" not in name)
    return SurfaceFacts(
        source=facts.source,
        used=facts.used,
        invented=tuple(name for name in facts.invented if "/" in name),
        unchecked=(*facts.unchecked, *(f"{name}: {why}" for name in names)),
    )
