"""What an expression may stand for, and what asking it for a member may answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from denominator.readers.api.shape import Origin

if TYPE_CHECKING:
    from denominator.readers.api.classes import SourceClass
    from denominator.readers.api.scopes import Function
    from denominator.readers.api.stdlib import TableClass


class Container(Protocol):
    """Whatever has named members: a module from any source."""

    @property
    def name(self) -> str:
        """For messages."""

    def member(self, name: str) -> Answer:
        """Asks for one member."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody can say without running the program, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Std:
    """A thing of the standard library that is no class and no module, by full name; "None" is the value None."""

    name: str


@dataclass(frozen=True, slots=True)
class Mod:
    """A module or package, from one source."""

    container: Container


@dataclass(frozen=True, slots=True)
class Cls:
    """A class. `mode` is exact, or `self` when a subclass may stand in its place."""

    info: SourceClass | TableClass
    mode: str = "exact"


@dataclass(frozen=True, slots=True)
class Inst:
    """An object of a class. `mode` is exact (made here), self (a subclass may call) or annotated (the text says so)."""

    info: SourceClass | TableClass
    mode: str = "exact"


@dataclass(frozen=True, slots=True)
class Fn:
    """A function or method with its definition."""

    info: Function


Value = Unknown | Std | Mod | Cls | Inst | Fn
Values = tuple[Value, ...]
NONE = Std("None")


@dataclass(frozen=True, slots=True)
class Found:
    """The member exists."""

    values: Values
    origin: Origin


@dataclass(frozen=True, slots=True)
class Open:
    """The member may or may not exist."""

    why: str


@dataclass(frozen=True, slots=True)
class Missing:
    """The container is fully known and does not have the member. `holders` are all that were asked."""

    container: str
    holders: Values = ()


Answer = Found | Open | Missing


def join(answers: Iterable[Answer]) -> Answer:
    """One answer of several alternatives: found in any is found, open in any is open, missing only when missing in all."""
    every = tuple(answers)
    found = [a for a in every if isinstance(a, Found)]
    opened = [a for a in every if isinstance(a, Open)]
    if found:
        values = [v for a in found for v in a.values] + [Unknown(a.why) for a in opened]
        return Found(distinct(values), found[0].origin)
    if opened:
        return opened[0]
    missing = [a for a in every if isinstance(a, Missing)]
    if not missing:
        return Open("its value is not tracked")
    return Missing(missing[0].container, tuple(h for a in missing for h in a.holders))


def distinct(values: Iterable[Value]) -> Values:
    """Each alternative once; None counts only when it is the only one."""
    unique = tuple(dict.fromkeys(values))
    return tuple(v for v in unique if v != NONE) or unique
