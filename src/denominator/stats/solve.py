"""Where a condition stops holding: halving, the one root finder here; it needs no derivative and cannot run away."""

from __future__ import annotations

from collections.abc import Callable


def halved(holds: Callable[[float], bool], lo: float, hi: float) -> float:
    """The x in [lo, hi] up to which `holds` is true, when it is true below and false above; until floats run out."""
    for _ in range(200):
        middle = (lo + hi) / 2
        if middle in (lo, hi):
            break
        lo, hi = (middle, hi) if holds(middle) else (lo, middle)
    return (lo + hi) / 2
