"""Connections to the provider that wait for another call."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Generic, Protocol, TypeVar

from denominator.adapters.gateway.proxy.wire import Wire

KEPT_S = 4.0
"""Shorter than servers wait (five seconds and more), because a call on a connection that they end just then would be lost."""
SETTLED_S = 0.02
"""A server that ends connections without having said so does it right after an answer; so long nobody uses it again."""
KEPT_MAX = 64


class Kept(Protocol):
    """What is kept."""

    @property
    def wire(self) -> Wire: ...


K = TypeVar("K", bound=Kept)


class Idle(Generic[K]):
    """The oldest comes out first. One on which anything came meanwhile is not used again.

    A call on a connection that is just being ended cannot be sent again, for nobody knows who has it. So a provider that
    was once seen to end a kept connection gets a new one for each call from then on.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[float, K]] = {}
        self._next = 0
        self._keeps = True

    def take(self) -> K | None:
        """A connection that is alive, or None."""
        settled = asyncio.get_running_loop().time() - SETTLED_S
        while self._keeps and self._kept:
            number, (since, one) = next(iter(self._kept.items()))
            if since > settled:
                return None
            if one.wire.quiet:
                del self._kept[number]
                one.wire.on_gone = None
                return one
            self._let_go(number)
        return None

    def give(self, one: K) -> None:
        """Keeps a connection for a while."""
        if not self._keeps:
            return one.wire.cut()
        loop = asyncio.get_running_loop()
        self._next += 1
        self._kept[self._next] = loop.time(), one
        one.wire.on_gone = partial(self._ended, self._next)
        if len(self._kept) > KEPT_MAX:
            self._let_go(min(self._kept))
        loop.call_later(KEPT_S, self._let_go, self._next)
        return None

    def _ended(self, number: int) -> None:
        self._keeps = False
        self._let_go(number)

    def _let_go(self, number: int) -> None:
        if (kept := self._kept.pop(number, None)) is not None:
            kept[1].wire.on_gone = None
            kept[1].wire.cut()

    def close(self) -> None:
        """Ends them all."""
        for number in list(self._kept):
            self._let_go(number)
