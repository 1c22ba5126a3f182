"""Exporters by name: entry points `denominator.exporters`, ours and those of others. Names are listed without loading any."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.exporters import Exporter, FolderExporter

GROUP = "denominator.exporters"
PARTS = ("name", "title", "ending", "cannot_say")
WRITES = ("write", "files")
"""One document, or the files of a folder."""


def exporter_names() -> tuple[str, ...]:
    """The formats that can be written, sorted; nothing is loaded."""
    return tuple(sorted(_points()))


def exporter(name: str) -> Exporter | FolderExporter:
    """The exporter of one format. InputError: none of that name, or one that cannot be loaded."""
    points = _points()
    if name not in points:
        near = get_close_matches(name, points, 1)
        fix = f"did you mean {near[0]!r}?" if near else f"one of: {', '.join(sorted(points))}"
        raise InputError(f"no format is called {name!r}", where="export", fix=fix)
    return _loaded(points[name])


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _loaded(point: EntryPoint) -> Exporter | FolderExporter:
    """Whatever goes wrong in code that is not ours is told with the name of the package that brought it."""
    package = point.dist.name if point.dist is not None else point.module
    fix = f"repair or remove the package {package}"
    try:
        found: Exporter | FolderExporter = point.load()
    except Exception as error:
        what = f"the exporter {point.name!r} of {package} cannot be loaded: {type(error).__name__}: {error}"
        raise InputError(what, where=point.value, fix=fix) from error
    lacking = [one for one in PARTS if not hasattr(found, one)]
    lacking += [] if any(hasattr(found, one) for one in WRITES) else [" or ".join(WRITES)]
    if lacking:
        what = f"the exporter {point.name!r} of {package} is none: it lacks {', '.join(lacking)}"
        raise InputError(what, where=point.value, fix=fix)
    return found
