"""Misses that a page may list: a withheld window gives nothing away, the window beside it is listed whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.publish.html.probe import probe_html
from denominator.publish.probe_told import held_back, told_misses, told_score
from denominator.publish.terminal.page import Page
from denominator.publish.terminal.probe import probe_page
from denominator.records.probe_results import Line
from probing_data import attempts, score, window

WHY = "3 of 9 attempts are invalid (3 rate_limited), above the ceiling of 0.05"
MADE = (
    *attempts(4),
    *attempts(2, cls="schema_miss", reason="extra_key"),
    *attempts(3, cls="http_error", reason="rate_limited"),
    *attempts(5, window=2, cls="format_drift", reason="code_fence"),
)


def text(made) -> str:
    page = Page(80, False)
    probe_page(page, made)
    return "\n".join(page.lines)


HELD = score(attempts=MADE, windows=(replace(window(1), withheld=WHY), window(2)))
OPEN = score(attempts=MADE, windows=(window(1), window(2)))


def test_of_a_withheld_window_only_what_says_nothing_is_listed():
    assert {(one.window, one.cls) for one in told_misses(HELD)} == {(1, "http_error"), (2, "format_drift")}
    assert {(one.window, one.cls) for one in told_misses(OPEN)} == {
        (1, "http_error"),
        (1, "schema_miss"),
        (2, "format_drift"),
    }
    assert "window 1 are not listed" in held_back(HELD) and held_back(OPEN) == ""


@pytest.mark.parametrize("page", [text, probe_html])
def test_no_page_lists_them(page):
    assert "extra_key" not in page(HELD) and "extra_key" in page(OPEN)
    assert "code_fence" in page(HELD) and "are not listed" in page(HELD)


@pytest.mark.parametrize("page", [text, probe_html])
def test_no_page_counts_the_misses_of_all_groups(page):
    assert "(10)" not in page(OPEN) and "(8)" not in page(HELD)


def test_a_group_without_a_pass_says_so_and_a_withheld_one_says_why():
    """No pass is a line with 0, never a line that is not there."""
    line = Line(window=1, group="strict_json", cls="schema_miss", reason="extra_key", k=3, n=3)
    none = score(attempts=attempts(3, cls="schema_miss", reason="extra_key"), windows=(window(1),), histogram=(line,))
    assert "0 of 3" in probe_html(none) and "0/3" in text(none)
    held = replace(none, windows=(replace(window(1), withheld=WHY),), histogram=(replace(line, reason="x"),))
    assert WHY in probe_html(held) and "0 of 3" not in probe_html(held)


def test_a_score_that_is_written_down_lets_nobody_count_the_passes_of_a_withheld_window():
    held = replace(window(1), withheld="too many invalid attempts")
    quota = attempts(2, cls="http_error", reason="rate_limited")
    made = score(
        attempts=(*attempts(5), *attempts(3, cls="format_drift", reason="code_fence"), *quota, *attempts(4, window=2)),
        windows=(held, window(2)),
    )
    shown = told_score(made)
    of_held = [one for one in shown.attempts if one.window == 1]
    assert {(one.cls, one.reason) for one in of_held} == {("withheld", ""), ("http_error", "rate_limited")}
    assert sum(one.cls == "withheld" for one in of_held) == 8
    assert not any(one.judgements or one.also or one.flags for one in of_held if one.cls == "withheld")
    assert [one for one in shown.attempts if one.window == 2] == [one for one in made.attempts if one.window == 2]


def test_a_score_without_withheld_windows_is_written_as_it_is():
    assert told_score(score()) == score()
