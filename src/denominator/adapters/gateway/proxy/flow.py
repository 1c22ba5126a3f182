"""A body that is made on the way. A generator that nobody began to read closes nothing, so what it reads is closed here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Self

from denominator.adapters.gateway.proxy.answers import Body


class Flow:
    """What `made` yields (`answers.Body`); closing it closes the bodies `under` it too."""

    def __init__(self, made: Body | AsyncIterator[bytes], *under: Body) -> None:
        self._made = made
        self._under = under

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        return await self._made.__anext__()

    async def aclose(self) -> None:
        """Closes everything, whatever one of them says."""
        try:
            close = getattr(self._made, "aclose", None)
            if close is not None:
                await close()
        finally:
            for body in self._under:
                await body.aclose()
