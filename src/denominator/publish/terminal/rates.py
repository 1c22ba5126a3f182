"""The rates of a card: each with count, interval and unit; what is withheld or unknown is said once for all it holds for."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

from denominator.publish.terminal.page import Page
from denominator.records.cards import Card
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

WIDE = 25
NO_RATE = "-"


def rates(page: Page, card: Card) -> None:
    """Measured rates by line, then the others by reason."""
    page.title("RATES")
    shown = [one for one in card.estimates if not isinstance(one.lo, NotMeasured)]
    for one in shown:
        page.item(_rate(one), hang=WIDE + 1)
    if shown:
        page.item("95 % intervals; every rate but the headline is secondary")
    for why, names in _without(card.estimates).items():
        page.item(f"{why}: {', '.join(names)}")


def _rate(one: Estimate) -> str:
    value = three(one.value) if isinstance(one.value, str) else NO_RATE
    interval = f"[{three(str(one.lo))}, {three(str(one.hi))}]"
    why = f"  {one.value.not_measured}" if isinstance(one.value, NotMeasured) else ""
    return f"{one.metric:<{WIDE}} {f'{one.numerator}/{one.denominator}':>7}  {value:>5}  {interval}  {one.unit}{why}"


def _without(estimates: tuple[Estimate, ...]) -> dict[str, list[str]]:
    """Metrics without a rate, by the reason why; a count that is known stands with its name."""
    found: dict[str, list[str]] = {}
    for one in estimates:
        if isinstance(one.lo, NotMeasured):
            count = f" ({one.numerator} seen)" if isinstance(one.numerator, int) else ""
            found.setdefault(one.lo.not_measured, []).append(f"{one.metric}{count}")
    return found


def three(decimal: str) -> str:
    """Three digits of a decimal string."""
    return str(Decimal(decimal).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))
