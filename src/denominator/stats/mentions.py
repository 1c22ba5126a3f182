"""Numbers in words: does a text mention a rate, at whatever precision it has? Such mentions are blacked out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

NUMBER = re.compile(r"(?<![\w.,/])(?:(\d+(?:\.\d+)?) ?%|([01]?\.\d+)(?![\w%])|(\d+)(?:/| (?:out )?of )(\d+)(?![\w/]))")
GONE = "[withheld]"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A rate that may not be mentioned: decimals (its value, the ends of its interval), and its fraction if that is hidden too."""

    decimals: tuple[str, ...]
    fraction: tuple[int, int] | None = None


def without_numbers(text: str) -> str:
    """The text with every percentage, decimal and fraction blacked out: which of them fits would tell something."""
    return NUMBER.sub(GONE, text)


def without_mentions(text: str, hidden: Iterable[Hidden]) -> str:
    """The text with the percentages, decimals and fractions blacked out that print one of these rates."""
    rates = tuple(hidden)
    return NUMBER.sub(lambda found: GONE if any(_mentions(found, one) for one in rates) else found[0], text)


def _mentions(found: re.Match[str], one: Hidden) -> bool:
    percent, decimal, k, n = found.groups()
    if k is not None:
        return (int(k), int(n)) == one.fraction
    scale, digits = (100, percent) if percent is not None else (1, decimal)
    precision = Decimal(1).scaleb(-len(digits.partition(".")[2]))
    return any(abs(scale * Decimal(rate) - Decimal(digits)) < precision for rate in one.decimals)
