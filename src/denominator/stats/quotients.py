"""Dividing counts: a quotient over nothing is not measured, with the reason, and never 0."""

from __future__ import annotations

from fractions import Fraction

from denominator.records.values import NotMeasured


def quotient(numerator: int | Fraction, denominator: int | Fraction, empty: str) -> Fraction | NotMeasured:
    """numerator / denominator, exactly; NotMeasured(empty) when there is nothing to divide by."""
    return NotMeasured(empty) if denominator == 0 else Fraction(numerator) / Fraction(denominator)
