"""Collects surfaces of one file: each once, with its first place and the number of its uses."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from denominator.readers.api.shape import INVENTED, KNOWN, NOT_EVALUATED, Origin, Surface

if TYPE_CHECKING:
    from denominator.readers.api.source import Parsed
    from denominator.readers.api.world import World

TEXT_MAX = 160


@dataclass(frozen=True, slots=True)
class Place:
    """Line from 1, column in bytes from 0, as the parser says it."""

    line: int
    offset: int


class Source(Protocol):
    """A file that surfaces are collected from."""

    @property
    def world(self) -> World:
        """The tree that it stands in."""

    @property
    def path(self) -> str:
        """Its path."""

    @property
    def parsed(self) -> Parsed:
        """Its lines."""


@dataclass(slots=True)
class Collector:
    """Surfaces of one module, in the order of the source."""

    module: Source
    surfaces: dict[tuple[str, str, str, str], Surface] = field(default_factory=dict)

    def known(self, kind: str, name: str, origin: Origin, place: Place) -> None:
        """Somebody defines it."""
        self._add(kind, name, KNOWN, place, origin=origin)

    def invented(self, kind: str, name: str, container: str, place: Place) -> None:
        """Its container is fully known and does not have it; nothing is, where the repository is not here in full."""
        limited = self.module.world.effort.limited
        if limited:
            self.not_evaluated(kind, name, limited, place)
            return
        self._add(kind, name, INVENTED, place, why=f"not in {container}")

    def not_evaluated(self, kind: str, name: str, why: str, place: Place) -> None:
        """Nobody can say."""
        self._add(kind, name, NOT_EVALUATED, place, why=why)

    def _add(self, kind: str, name: str, state: str, place: Place, why: str = "", origin: Origin | None = None) -> None:
        key = (kind, name, state, why)
        if key in self.surfaces:
            self.surfaces[key] = replace(self.surfaces[key], uses=self.surfaces[key].uses + 1)
            return
        line = self.module.parsed.line(place.line)
        column = len(line.encode("utf-8", "surrogatepass")[: place.offset].decode("utf-8", "ignore")) + 1
        self.surfaces[key] = Surface(
            kind=kind,
            name=name[:TEXT_MAX],
            state=state,
            where=origin.where if origin else "",
            at=origin.at if origin else "",
            why=why,
            path=self.module.path,
            line=place.line,
            column=column,
            text=line.strip()[:TEXT_MAX],
        )
