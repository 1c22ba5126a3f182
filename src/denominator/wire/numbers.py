"""Numbers of foreign JSON that are no integers: exact decimals, never binary floats."""

from __future__ import annotations

import re
from decimal import Decimal

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
ZERO = re.compile(r"-?[0.]+([eE].*)?\Z")


def decimal_of(text: str) -> Decimal | None:
    """The exact value, or None when it is beyond the range of double numbers (1e999, 1e-999) or no number at all.

    The range keeps later arithmetic and printing small; zero is plain zero however it was written.
    """
    if not NUMBER.match(text):
        return None
    if ZERO.match(text):
        return Decimal(0)
    near = float(text)
    if near == 0.0 or near in (float("inf"), float("-inf")):
        return None
    return Decimal(text)
