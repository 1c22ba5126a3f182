"""Connections to the provider that wait for another call."""

from __future__ import annotations

import asyncio
from typing import Generic, Protocol, TypeVar

from denominator.adapters.gateway.proxy.wire import Wire

KEPT_S = 4.0
"""Shorter than servers wait (five seconds and more), because a call on a connection that they end just then would be lost."""
KEPT_MAX = 64


class Kept(Protocol):
    """What is kept."""

    @property
    def wire(self) -> Wire: ...


K = TypeVar("K", bound=Kept)


class Idle(Generic[K]):
    """The freshest comes out first; one on which anything came meanwhile is not used again."""

    def __init__(self) -> None:
        self._kept: dict[int, K] = {}
        self._next = 0

    def take(self) -> K | None:
        """A connection that is alive, or None."""
        while self._kept:
            _, one = self._kept.popitem()
            if one.wire.quiet:
                return one
            one.wire.cut()
        return None

    def give(self, one: K) -> None:
        """Keeps a connection for a while."""
        self._next += 1
        self._kept[self._next] = one
        if len(self._kept) > KEPT_MAX:
            self._let_go(min(self._kept))
        asyncio.get_running_loop().call_later(KEPT_S, self._let_go, self._next)

    def _let_go(self, number: int) -> None:
        if (one := self._kept.pop(number, None)) is not None:
            one.wire.cut()

    def close(self) -> None:
        """Ends them all."""
        for number in list(self._kept):
            self._let_go(number)
