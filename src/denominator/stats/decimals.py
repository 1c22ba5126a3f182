"""Numbers as text: decimal strings, half-even, the same on every machine."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation, localcontext
from fractions import Fraction

Number = Fraction | float | int


def _rounded(value: Number, places: int) -> str:
    with localcontext() as context:
        context.prec = 60
        exact = Fraction(value)
        quotient = Decimal(exact.numerator) / Decimal(exact.denominator)
        text = quotient.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
        return str(text + 0)


def decimal6(value: Number) -> str:
    """The form in which every estimate is written: six digits after the point, half-even."""
    return _rounded(value, 6)


def percent1(value: str | Fraction | float) -> str:
    """A rate as a percentage with one digit, for text that people read."""
    return f"{_rounded(Fraction(value) * 100, 1)} %"


def finite_decimal(text: str) -> Decimal | None:
    """A limit as it was written, exactly; None when the text is no finite number."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
