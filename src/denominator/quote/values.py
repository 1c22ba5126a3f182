"""Does a printed number equal a slip's? Exact: d printed decimals are those of the rounded fraction, half-even or half-up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from denominator.records.slips import Number

EXACT_DIGITS = 12
"""A chart keeps binary fractions: past so many decimals its digits are those of the machine."""
DIGITS_MAX = 400
"""No slip says a longer number: it equals none."""
DECIMAL = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?")


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed number: its value, and how many decimals it shows."""

    value: Fraction
    decimals: int


def printed(text: str) -> Printed:
    """`71.4`, `71,4`, `1,723.5`, `.714`. One separator alone is the decimal one; the same one twice groups thousands."""
    digits = text.strip()
    last = max(digits.rfind("."), digits.rfind(","))
    groups = last >= 0 and digits.count(digits[last]) > 1
    cut = len(digits) if last < 0 or groups else last
    if len(digits) > DIGITS_MAX:
        return Printed(Fraction(-1), 0)
    whole, part = re.sub(r"\D", "", digits[:cut]), re.sub(r"\D", "", digits[cut:])
    return Printed(Fraction(int(whole + part or "0"), 10 ** len(part)), len(part))


def rounds_to(exact: Fraction, shown: Printed, most: int = 0) -> bool:
    """Is `shown` what `exact` gives at its decimals? `most`: compare no more decimals than these."""
    decimals = min(shown.decimals, most) if most else shown.decimals
    scale = 10**decimals
    if most and shown.decimals > most:
        return bool(_roundings(exact * scale) & _roundings(shown.value * scale))
    return shown.value * scale in _roundings(exact * scale)


def _roundings(value: Fraction) -> set[int]:
    low = value.numerator // value.denominator
    rest = value - low
    if rest * 2 == 1:
        return {low + 1, low + low % 2}
    return {low + (rest * 2 > 1)}


def fraction_of(text: object) -> Fraction | None:
    """Decimal text of a slip; None where there is none."""
    return Fraction(text) if isinstance(text, str) and DECIMAL.fullmatch(text) else None


def share_of(number: Number) -> Fraction | None:
    """k/n, or the declared score as a share (above one it is taken for a percentage); None where the slip has neither."""
    if isinstance(number.k, int) and isinstance(number.n, int) and number.n > 0:
        return Fraction(number.k, number.n)
    score = fraction_of(number.score)
    return None if score is None else score / 100 if score > 1 else score


def told(number: Number, rate: bool = True) -> str:
    """What a slip says, for a message: `10/14 = 71.4%` (`10/14` where only counts may be written), its score, or nothing."""
    share = share_of(number)
    if share is None:
        return "no value"
    if isinstance(number.k, int) and isinstance(number.n, int):
        return f"{number.k}/{number.n}" + (f" = {percent_text(share)}" if rate else "")
    return f"{number.score} (declared)"


def percent_text(share: Fraction, decimals: int = 1) -> str:
    """A share as a percentage, half-even: `71.4%`."""
    units = round(share * 100 * 10**decimals)
    sign, units = ("-" if units < 0 else ""), abs(units)
    whole, part = divmod(units, 10**decimals)
    return f"{sign}{whole}.{part:0{decimals}d}%"
