"""Surfaces as facts of one attempt: what a row keeps, and a bounded list for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from denominator.readers.api.check import surfaces
from denominator.readers.api.effort import NOT_SEARCHED
from denominator.readers.api.routes import UNREAD
from denominator.readers.api.shape import INVENTED, KNOWN, NOT_EVALUATED, ApiInputs, Surface
from denominator.readers.api.stdlib import table_for
from denominator.readers.api.world import NOBODY
from denominator.records.events import Json
from denominator.records.facts import Facts
from denominator.records.keys import AttemptKey

READER = "api"
VERSION = 2
INVENTED_MAX = 200
OTHERS_MAX = 50


def read_api(key: AttemptKey, inputs: ApiInputs, sources: tuple[str, ...] = ()) -> Facts:
    """Facts of one attempt (docs/formats/facts.md): the fields of `SurfaceFacts`, counts, and the surfaces themselves."""
    found = surfaces(inputs)
    return Facts(
        key=key, reader=READER, version=VERSION, data=data_of(found, inputs), sources=tuple(sorted(set(sources)))
    )


def data_of(found: Sequence[Surface], inputs: ApiInputs) -> dict[str, Json]:
    """The data of the facts. Where no file with code could be judged, nothing is measured."""
    table = table_for(inputs.python)
    whole = [s for s in found if s.kind == "file"]
    head: dict[str, Json] = {
        "python": inputs.python or "unknown",
        "table": f"Python {table.python}, {table.stubs}" if table else "none",
    }
    if whole and len(whole) == len(found):
        return {**head, "not_measured": f"no file of the patch could be judged: {_part(whole[0])}"}
    by_state = {state: [s for s in found if s.state == state] for state in (INVENTED, NOT_EVALUATED, KNOWN)}
    shown = by_state[INVENTED][:INVENTED_MAX] + by_state[NOT_EVALUATED][:OTHERS_MAX]
    parts = list(dict.fromkeys(_part(s) for s in found if is_part(s)))
    return {
        **head,
        "source": "patch",
        "used": len(found) - len(whole),
        "invented": [_named(s) for s in by_state[INVENTED][:INVENTED_MAX]],
        "unchecked": _bounded(parts),
        "counts": {state: len(some) for state, some in by_state.items()},
        "kinds": dict(sorted(Counter(s.kind for s in found).items())),
        "surfaces": [surface_json(s) for s in shown],
    }


def is_part(surface: Surface) -> bool:
    """Does it say of a whole part that nobody could judge it: a file, a module, a document of the specification?

    Single members of values that only a running program knows are none: Python code is full of them.
    """
    if surface.state != NOT_EVALUATED:
        return False
    return surface.kind == "file" or surface.why.startswith((NOBODY, UNREAD, NOT_SEARCHED))


def _part(surface: Surface) -> str:
    if surface.kind == "file":
        return f"{surface.path}: {surface.why}"
    return f"{surface.path}:{surface.line}: {surface.name}: {surface.why}"


def _named(surface: Surface) -> str:
    return f"{surface.kind} {surface.name} ({surface.path}:{surface.line}, {surface.why})"


def _bounded(parts: list[str]) -> list[Json]:
    more = len(parts) - OTHERS_MAX
    return [*parts[:OTHERS_MAX], *([f"and {more} more"] if more > 0 else [])]


def surface_json(surface: Surface) -> dict[str, Json]:
    """One surface as JSON; what does not apply to its state is left out."""
    every: dict[str, Json] = {name: getattr(surface, name) for name in Surface.__slots__}
    return {name: value for name, value in every.items() if value != "" or name == "text"}
