"""Misses of a probe: alike in one line, every attempt named once, what is left out is counted."""

from __future__ import annotations

from dataclasses import replace

from denominator.publish.terminal.page import Page
from denominator.publish.terminal.probe_misses import MOST, TITLE, misses
from probing_data import attempts


def page_of(made, *, every: bool = False) -> list[str]:
    page = Page(100, False)
    misses(page, made, every=every)
    return page.lines


def test_attempts_that_ended_alike_share_a_line():
    made = [
        replace(one, case_id="json", attempt=at + 1)
        for at, one in enumerate(attempts(3, cls="format_drift", reason="code_fence"))
    ]
    other = replace(made[0], attempt=4, note="behind a sentence")
    lines = page_of([*made, other])
    assert lines[0] == TITLE
    assert any("json plain 1.1, 1.2, 1.3: format_drift code_fence" in one for one in lines)
    assert any("json plain 1.4: format_drift code_fence: behind a sentence" in one for one in lines)


def test_groups_come_in_their_order_and_windows_are_told_apart():
    made = [
        replace(attempts(1, group="tools", cls="tool_call_miss", reason="call_in_text")[0], case_id="a"),
        replace(attempts(1, group="strict_json", cls="format_drift", reason="not_json")[0], case_id="z"),
        replace(attempts(1, window=2, group="strict_json", cls="format_drift", reason="not_json")[0], case_id="z"),
    ]
    lines = page_of(made)
    assert "z plain 1.1, 2.1" in lines[1] and "a plain 1.1" in lines[2]


def test_what_is_left_out_is_counted_and_all_shows_it():
    made = [
        replace(one, case_id=f"c{at:03}")
        for at, one in enumerate(attempts(MOST + 7, cls="schema_miss", reason="extra_key"))
    ]
    assert page_of(made)[-1].strip() == "and 7 more lines: --all shows them"
    shown = " ".join(page_of(made, every=True))
    assert all(f"c{at:03} " in shown for at in range(MOST + 7))


def test_no_miss_is_said():
    assert page_of(attempts(3))[-1].strip() == "none"
