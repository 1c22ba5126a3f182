"""A printed percentage that nobody can check is not called impossible."""

from __future__ import annotations

import pytest

from denominator.judge import judge
from judging_data import from_table


@pytest.mark.parametrize(
    ("declared", "printed", "named"),
    [
        (10, "40 %", ""),
        (10, "43.72 %", "GL017 impossible-percent."),
        ("unknown", "43.72 %", "GL017 impossible-percent (cannot be checked)"),
        ("unknown", "43.72 % of 10", "GL017 impossible-percent"),
        (10, "most", "GL017 impossible-percent (cannot be checked)."),
    ],
)
def test_the_sentence_says_which_of_the_two_it_is(declared, printed, named):
    case = {"outcomes": {"pass": 4, "fail": 6}, "declared": declared, "terms": {"printed_percents": [printed]}}
    sentence = judge(*from_table(case)).verdict.sentence
    assert ("GL017" in sentence) is bool(named)
    assert named in sentence
    assert ("cannot be checked" in sentence) is ("cannot" in named)
