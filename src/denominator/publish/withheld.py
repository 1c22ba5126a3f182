"""Foreign words on a blocked card: a number in them that is a withheld rate does not slip through by being quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from denominator.records.estimates import Estimate

NUMBER = re.compile(r"(?<![\w.,/])(?:(\d+(?:\.\d+)?) ?%|([01]?\.\d+)(?![\w%])|(\d+)/(\d+)(?![\w/]))")
GONE = "[withheld]"


def without_rates(text: str, withheld: Iterable[Estimate]) -> str:
    """The text with percentages, decimals and fractions that print one of these estimates blacked out."""
    rates = [one for one in withheld if isinstance(one.value, str)]
    return NUMBER.sub(lambda found: GONE if any(_prints(found, one) for one in rates) else found[0], text)


def _prints(found: re.Match[str], one: Estimate) -> bool:
    percent, decimal, k, n = found.groups()
    if k is not None:
        return (int(k), int(n)) == (one.numerator, one.denominator)
    scale, digits = (100, percent) if percent is not None else (1, decimal)
    precision = Decimal(1).scaleb(-len(digits.partition(".")[2]))
    return abs(scale * Decimal(str(one.value)) - Decimal(digits)) < precision
