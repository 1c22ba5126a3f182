"""How far people agree, as text: counts first, coefficients where there may be any, and the rows where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.publish.terminal.page import Page
from denominator.records.reviews import AxisAgreement, PairAgreement


def add_agreement(page: Page, found: Sequence[AxisAgreement]) -> None:
    """Axis by axis: every pair of labelers, then the rules."""
    for one in found:
        page.title(f"AXIS {one.axis}")
        for pair in one.pairs:
            _pair(page, pair)
        if not one.pairs:
            page.item("n = 0: no row has blind labels of two people; no coefficient under 50 items")
        if one.rules.items:
            _pair(page, one.rules)
    if not found:
        page.item("nobody has labelled anything yet", 0)


def _pair(page: Page, pair: PairAgreement) -> None:
    """Two who labelled the same rows: counts, coefficients where there may be any, and where they differ."""
    page.item(f"{pair.first} and {pair.second}: same on {pair.same} of {pair.items} rows")
    for figure in pair.figures:
        value = figure.value if isinstance(figure.value, str) else figure.value.not_measured
        ends = f" [{figure.lo}, {figure.hi}]" if isinstance(figure.lo, str) else ""
        page.item(f"{figure.name:<22}{value}{ends}", 4)
    if not pair.enough and pair.first != "rules":
        page.item(f"n = {pair.items}: no coefficient under 50 items", 4)
    for cell in pair.confusion:
        rows = f": {', '.join(cell.rows)}" if cell.rows else ""
        page.item(f"{cell.count:>4}  {cell.first} / {cell.second}{rows}", 4, 6)
