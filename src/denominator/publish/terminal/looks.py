"""A look in words: what both arms have finished, the evidence, and what the look costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from denominator.records.events import Json
from denominator.records.values import counted


def look_lines(found: Mapping[str, Json]) -> Iterator[str]:
    """The evidence first; then which look this is, and what may be said of it."""
    declared = found["declared_tasks"] if isinstance(found["declared_tasks"], int) else 0
    yield f"{found['a']} and {found['b']}: both have finished {found['finished']} of {counted(declared, 'task')}"
    yield (
        f"discordant {found['more_a']} : {found['more_b']}, equal {found['equal']}, "
        f"without a verdict {found['undecided']}"
    )
    yield (
        f"E = {found['e']}, {found['needed']} are needed ({found['least']} discordant tasks if all go one way): "
        f"{'established at this look' if found['established'] else 'not established'}"
    )
    yield str(found["which"])
    yield "you may not write: a pass rate, a difference or a p value of an unfinished run"
