"""Values of slips without counts, and numbers as they are printed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from denominator.quote import SlipTable
from denominator.quote.values import percent_text, printed, share_of, told
from denominator.records.slips import Number
from quote_data import codes, standing


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("71.4", "71.4", 1), ("71,4", "71.4", 1), ("1,723.5", "1723.5", 1), ("1.723,5", "1723.5", 1), ("1,234,567", "1234567", 0),
     (".714", "0.714", 3), ("7", "7", 0)],
)  # fmt: skip
def test_printed_numbers(text, value, decimals):
    assert (printed(text).value, printed(text).decimals) == (Fraction(value), decimals)


@pytest.mark.parametrize(
    ("score", "right"), [("0.714", True), ("71.4", True), ("0.7140", True), ("0.715", False), ("x", False)]
)
def test_a_declared_score_is_held_as_a_share_or_a_percentage(score, right):
    slip = standing(slip={"numbers": (Number(metric="headline", score=score, n=14, declared=True),)})
    found = codes("It scores 71.4% [slip:ab12cd34].", slips=SlipTable([slip]))
    assert found == ([] if right else [("Q003", "71.4%")])
    assert ("Q003", "10/14") in codes("It scores 10/14 [slip:ab12cd34].", slips=SlipTable([slip]))


def test_a_slip_without_a_value_vouches_for_none():
    empty = Number(metric="headline")
    assert share_of(empty) is None and told(empty) == "no value"
    slips = SlipTable([standing(slip={"numbers": (empty,)})])
    assert codes("It passes 0% [slip:ab12cd34].", slips=slips) == [("Q003", "0%")]


def test_percentages_are_told_half_even():
    assert [percent_text(Fraction(k, 16)) for k in (0, 1, 16)] == ["0.0%", "6.2%", "100.0%"]
    assert percent_text(Fraction(-1, 8)) == "-12.5%"
