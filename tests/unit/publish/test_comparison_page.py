"""The page of a comparison: the sentence first, foreign words shown and not obeyed, nothing where nothing may be said."""

from __future__ import annotations

from typing import Any

import pytest

from comparing_data import PLAN, arm, fine, split
from denominator.compare.pair import compare_sides
from denominator.publish.terminal.comparison import add_comparison
from denominator.publish.terminal.page import Page
from denominator.records.comparisons import FieldVerdict
from denominator.records.values import NotMeasured


def page(verbose: bool = False, width: int = 80, marks: Any = None, found: Any = None, **over: Any) -> str:
    a, b = marks or split(10, 8, 1, 3)
    made = compare_sides(arm("A", a, plan=PLAN, **over), arm("B", b, plan=PLAN, **over), found or fine())
    sheet = Page(width, color=False)
    add_comparison(sheet, made, verbose)
    return sheet.text()


def test_the_sentence_stands_first_and_sections_follow_in_order() -> None:
    text = page()
    assert text.splitlines()[0].startswith("COMPARABLE (") and text.splitlines()[1].startswith("A - B = +0.318")
    order = ["ARMS", "NUMBERS", "TASKS", "TRANSITIONS, A -> B", "WHOSE", "NOTES", "YOU MAY NOT"]
    places = [text.index(f"\n{title}") for title in order]
    assert places == sorted(places)


def test_fields_that_moved_are_shown_and_silent_ones_in_one_line() -> None:
    gone = NotMeasured("not stated")
    fields = (
        FieldVerdict(name="seed", verdict="conditions", blocks=True, a="7", b="8"),
        FieldVerdict(name="model_id", verdict="same", blocks=False, a='"m"', b='"m"'),
        FieldVerdict(name="cpus", verdict="unknown", blocks=True, a=gone, b=gone),
        FieldVerdict(name="disk_mb", verdict="unknown", blocks=True, a=gone, b="64"),
    )
    found = fine(status="not_comparable", reasons=("seed differs",), fields=fields)
    text = page(found=found)
    assert text.startswith("NOT COMPARABLE\n")
    assert "blocks    seed: conditions: 7 | 8" in text and "unknown on both sides: cpus" in text
    assert "disk_mb: unknown: unknown (not stated) | 64" in text
    assert "model_id" not in text and 'same      model_id: "m"' in page(verbose=True, found=found)
    assert "NUMBERS" not in text and "TASKS" not in text.replace("TASK SETS", "")


def test_foreign_names_cannot_move_the_cursor() -> None:
    a = {f"t\x1b[2J{n}": "P" for n in range(9)}
    b = dict.fromkeys(a, "F")
    text = page(marks=(a, b))
    assert "\x1b" not in text and "\\u001b" in text


@pytest.mark.parametrize("width", [40, 60, 100])
def test_lines_break_at_words_within_the_width(width: int) -> None:
    long = [line for line in page(width=width).splitlines() if len(line) > width]
    assert all(len(word) > width - 10 for line in long for word in [max(line.split(), key=len)])


def test_worst_case_is_printed_only_where_something_is_unseen() -> None:
    a, b = split(10, 8, 1, 3)
    assert "worst case" not in page()
    assert "worst case" in page(marks=(a, b | {"t001": "U"}))
