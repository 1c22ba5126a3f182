"""Counter-based random numbers: the same seed and stream give the same numbers on every machine, whatever ran before.

The n-th draw is sha256(seed, stream, n), so that a draw can be looked up without the ones before it. Meant for
shuffles and resampling in agreement statistics, where speed does not matter and being repeatable in another
language does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_SPAN = 1 << 64


def draw_u64(seed: int, stream: str, counter: int) -> int:
    """The `counter`-th 64-bit number: the first 8 bytes, big-endian, of sha256("seed/stream/counter")."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{stream}/{counter}".encode()).digest()[:8], "big")


class Prng:
    """A position in one stream."""

    __slots__ = ("counter", "seed", "stream")

    def __init__(self, seed: int, stream: str = "") -> None:
        self.seed, self.stream, self.counter = seed, stream, 0

    def below(self, n: int) -> int:
        """A number in 0..n-1, each equally likely: draws in the uneven tail are thrown away."""
        if not 0 < n <= _SPAN:
            raise ValueError("n must be in 1..2**64")
        limit = _SPAN - _SPAN % n
        while True:
            value = draw_u64(self.seed, self.stream, self.counter)
            self.counter += 1
            if value < limit:
                return value % n

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order (Fisher and Yates, from the end)."""
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            pick = self.below(last + 1)
            out[last], out[pick] = out[pick], out[last]
        return tuple(out)
