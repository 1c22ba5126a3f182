"""Several cards in one table: an arm a line, with the counts as its card has them, so what is withheld stays withheld."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.records.cards import Card
from denominator.records.values import NotMeasured


def summary_lines(cards: Sequence[Card]) -> list[str]:
    """SUMMARY: arm, verdict, and the equation of the solvable slice; with a violated control pass and fail are one term."""
    rows = [(card.arm or card.run_id, f"{card.verdict.status} ({card.verdict.rung})", counts(card)) for card in cards]
    arm, verdict = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    return ["SUMMARY", *(f"  {row[0]:<{arm}}  {row[1]:<{verdict}}  {row[2]}" for row in rows)]


def counts(card: Card) -> str:
    """The equation of one card in a line."""
    if isinstance(card.equation, NotMeasured):
        return card.equation.not_measured
    left = " + ".join(f"{name.replace('_', ' ')} {number}" for name, number in card.equation.items())
    total = card.declared
    return f"{left}; declared: {total}" if isinstance(total, NotMeasured) else f"{left} = {total} declared"
