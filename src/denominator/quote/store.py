"""Where slips come from: one question, three answers. `pipeline` gives the real store, a test gives a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from denominator.records.slips import SlipStanding


@dataclass(frozen=True, slots=True)
class Unfound:
    """No slip, and why: `kind` is unknown, ambiguous or damaged (its bytes are not those of its id)."""

    kind: str
    why: str


class Slips(Protocol):
    """Slips by the first digits of their ids."""

    def find(self, prefix: str) -> SlipStanding | Unfound:
        """The one slip whose id begins so. Raises nothing for one that is not there."""
        ...

    def bundle_problems(self, slip: SlipStanding) -> tuple[str, ...]:
        """What is amiss with the bundle that the slip names; nothing where it has none or all holds."""
        ...


class SlipTable:
    """Slips of a table; `damaged` are ids whose bytes are others, `problems` those of bundles by id."""

    def __init__(
        self,
        slips: Iterable[SlipStanding],
        damaged: Iterable[str] = (),
        problems: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._slips = {one.id: one for one in slips}
        self._damaged, self._problems = tuple(damaged), dict(problems or {})

    def find(self, prefix: str) -> SlipStanding | Unfound:
        """The one slip whose id begins so."""
        found = sorted(one for one in {*self._slips, *self._damaged} if one.startswith(prefix))
        if len(found) > 1:
            return Unfound("ambiguous", f"{len(found)} slips begin so")
        if not found:
            return Unfound("unknown", "no slip of this store has this id")
        if found[0] in self._damaged:
            return Unfound("damaged", "its bytes are not those that its id names")
        return self._slips[found[0]]

    def bundle_problems(self, slip: SlipStanding) -> tuple[str, ...]:
        """What a table was given."""
        return self._problems.get(slip.id, ())
