"""Sentences of a comparison stay short where reasons are many, and count in English where there is one of something."""

from __future__ import annotations

import re

import pytest

from comparing_data import arm, blocked, fine
from denominator.compare.pair import compare_sides
from denominator.compare.sentences import not_comparable, refused
from denominator.records.comparisons import Comparability
from denominator.records.values import counted, told_p

FIELDS = ", ".join(f"field_{n}" for n in range(13))
ONE_OF_MANY = re.compile(r"(?<![\d.,])1 (tasks|draws|repeats|attempts|pairs|controls|reasons|families|draws? are)\b")


def unlike(*reasons: str) -> str:
    return not_comparable(Comparability(status="not_comparable", fields=(), reasons=reasons))


def test_a_sentence_names_three_reasons_and_says_how_many_more_there_are() -> None:
    assert unlike("a", "b") == "Not comparable: a; b. No difference is computed."
    assert unlike("a", "b", "c", "d", "e") == "Not comparable: a; b; c; and 2 more reasons. No difference is computed."
    assert "; and 1 more reason." in unlike("a", "b", "c", "d")


def test_a_long_list_of_unknown_fields_is_cut_and_counted() -> None:
    said = unlike(f"unknown on both sides, and unknown equals nothing: {FIELDS}")
    assert "field_0, field_1, field_2 and 10 more. No difference" in said and "field_3" not in said
    told = "unknown in A, and unknown equals nothing: model (two, of them: x, y), seed"
    assert unlike(told) == f"Not comparable: {told}. No difference is computed."


def test_one_side_and_two_sides_are_refused_in_english() -> None:
    pair = (blocked(arm("A", {"t1": "P"}), "one"), blocked(arm("B", {"t1": "P"}), "two"))
    found = compare_sides(*pair, fine())
    assert refused((found.a,)).endswith("Nothing of it may be set beside another arm.")
    assert refused((found.a, found.b)).endswith("Nothing of either may be set beside another arm.")


@pytest.mark.parametrize("marks", [("P", "F"), ("P", "P"), ("PPF", "PFF"), ("U", "P")])
@pytest.mark.parametrize("tasks", [1, 2, 9])
def test_one_of_something_is_no_plural(tasks: int, marks: tuple[str, str]) -> None:
    a, b = ({f"t{n}": mark for n in range(tasks)} for mark in marks)
    found = compare_sides(arm("A", a), arm("B", b), fine())
    for text in (found.verdict.sentence, *found.verdict.lifts, *found.notes):
        assert not ONE_OF_MANY.search(text), text


def test_a_small_p_is_never_nothing() -> None:
    assert (told_p("0.000000"), told_p("0.000001"), told_p("1.000000")) == (
        "below 0.000001",
        "= 0.000001",
        "= 1.000000",
    )
    assert (counted(1, "task"), counted(0, "task"), counted(2, "family", "families")) == (
        "1 task",
        "0 tasks",
        "2 families",
    )
