"""Importers by name: entry points `denominator.importers`, ours and those of others. Names are listed without loading any."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.importers.foreign import Importer
    from denominator.publish.importers import Format

GROUP = "denominator.importers"
OURS = "denominator.importers."
PARTS = ("name", "title", "endings", "cannot_tell", "recognise", "read")
"""What an importer must have (`denominator.importers.foreign.Importer`)."""


def importer_names() -> tuple[str, ...]:
    """The formats that can be read, sorted; nothing is loaded."""
    return tuple(sorted(_points()))


def importer(name: str) -> Importer:
    """The importer of one format. InputError: none of that name, or one that cannot be loaded."""
    points = _points()
    if name not in points:
        near = get_close_matches(name, points, 1)
        fix = f"did you mean {near[0]!r}?" if near else f"one of: {', '.join(sorted(points))}"
        raise InputError(f"no format is called {name!r}", where="import", fix=fix)
    return _loaded(points[name])


def all_importers() -> Iterator[Importer]:
    """Every importer in the order of names. InputError, with its name, for one that cannot be loaded."""
    return (_loaded(point) for _, point in sorted(_points().items()))


def own_formats() -> tuple[Format, ...]:
    """Our own formats as their pages tell them; those of other packages have pages of their own."""
    from denominator.publish.importers import Format

    found = [(point, _loaded(point)) for _, point in sorted(_points().items()) if point.module.startswith(OURS)]
    return tuple(
        Format(one.name, one.title, import_module(point.module).__doc__ or "", tuple(one.endings), one.cannot_tell)
        for point, one in found
    )


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _loaded(point: EntryPoint) -> Importer:
    """Whatever goes wrong in code that is not ours is told with the name of the package that brought it."""
    try:
        found = point.load()
    except Exception as error:
        raise _broken(point, f"cannot be loaded: {type(error).__name__}: {error}") from error
    lacking = [one for one in PARTS if not hasattr(found, one)]
    if lacking:
        raise _broken(point, f"is no importer: it lacks {', '.join(lacking)}")
    if found.name != point.name:
        raise _broken(point, f"calls itself {found.name!r}")
    made: Importer = found
    return made


def _broken(point: EntryPoint, what: str) -> InputError:
    package = point.dist.name if point.dist is not None else point.module
    fix = f"repair or remove the package {package}"
    return InputError(f"the importer {point.name!r} of {package} {what}", where=point.value, fix=fix)
