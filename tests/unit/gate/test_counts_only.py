"""Counts only is counts: where what was not seen could move the rate further than chance does, no quotient is printed."""

from __future__ import annotations

import pytest

from denominator.judge import judge
from denominator.records.values import NotMeasured
from judging_data import by_outcome, ledger, terms


@pytest.mark.parametrize(("unscoreable", "hidden"), [(2, False), (20, True)])
def test_bounds_wider_than_the_interval_leave_k_of_n(unscoreable: int, hidden: bool) -> None:
    rows, labels = by_outcome(**{"pass": 20, "unscoreable": unscoreable})
    made = judge(ledger(rows, labels), terms(invalid_ceiling="0.9"))
    found = next(one for one in made.estimates if one.metric == "headline")
    assert (found.numerator, found.denominator) == (20, 20 + unscoreable)
    assert isinstance(found.value, NotMeasured) is hidden
    assert ("wide-bounds" in str(found.value)) is hidden
