"""What a person sees of a probe: all of it on one page, foreign text made harmless, withheld counts nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.pipeline.probe_showing import EXCERPT_BYTES, ShownAttempt, excerpt
from denominator.publish.terminal.page import Page
from denominator.publish.terminal.probe import probe_page, score_page
from denominator.publish.terminal.probe_case import case_page
from denominator.publish.terminal.probe_misses import TITLE
from denominator.publish.terminal.probe_table import across_lines
from denominator.records.probe_results import Across, ProbeScore
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from probe_data import BOTH, FIRST, JSON, SECOND, all_heard, fault, heard, scored


def page_of(score: ProbeScore, width: int = 100) -> str:
    page = Page(width, False)
    probe_page(page, score)
    return page.text()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_one_page_has_every_part():
    given = all_heard(windows=(1, 2))
    given[0] = replace(given[0], faults=(fault("format_drift:code_fence", "3 backticks first"),), flags=("slow",))
    given[3] = replace(given[3], usage=Usage(prompt=9, completion=2))
    text = page_of(scored(given, windows=[FIRST, SECOND]))
    lines = text.splitlines()
    assert (
        "window 2: 2026-11-29T10:10:00Z to 2026-11-29T10:15:00Z, 15 of 15 attempts got a status, independent" in lines
    )
    assert any(line.split() == ["strict_json", "pass", "2/3", "3/3"] for line in lines)
    assert any(line.split() == ["format_drift", "code_fence", "1/3", "0/3"] for line in lines)
    assert any(line.split() == ["strict_json", "slow", "1/3", "0/3"] for line in lines)
    assert "json-a plain 1.1: format_drift code_fence: 3 backticks first; slow" in text
    assert "usage-a, window 1: accounting_anomaly prompt_tokens_unstable 3/3" in text
    assert "5 of 6 strict_json attempts passed, 1 format_drift, two windows 2 h 10 min apart" in flat(text)
    assert any(line.split() == ["window", "1", "plain", "total", "6", "100.0", "100.0", "100.0", "0"] for line in lines)
    assert "p95 of 6 values is a range check" in text
    assert "finish reasons: stop" in text and "in streams that ask: always" in text


def test_a_narrow_page_loses_no_count():
    given = all_heard(windows=(1, 2))
    given[0] = replace(given[0], faults=(fault("format_drift:code_fence"),))
    text = page_of(scored(given, windows=[FIRST, SECOND]), 40)
    assert "format_drift code_fence: window 1 1/3, window 2 0/3" in flat(text)


def test_withheld_passes_are_on_no_page():
    given = all_heard()
    given[0] = replace(given[0], faults=(fault("http_error:rate_limited"),), status=429, complete=False)
    text = page_of(scored(given))
    assert "withheld" in text and "http_error rate_limited" in text
    assert not [cell for cell in ("2/3", "3/3", "passed") if cell in text]


def test_attempts_never_asked_are_named():
    text = page_of(scored(all_heard()[1:]))
    assert "NEVER ASKED (1)" in text and "window 1: json-a plain attempt 1" in text


def test_what_judging_again_moved_is_listed():
    page = Page(100, False)
    score_page(
        page,
        scored(all_heard()),
        "score.json: replaced, classifier 0.9 made it",
        ["window 1: json-a plain attempt 1: pass is now x"],
    )
    assert "MOVED" in page.text() and "classifier 0.9 made it" in page.text()


def test_a_case_shows_each_attempt_with_its_bytes_made_harmless():
    score = scored(
        [
            heard(BOTH, mode, n, judgements={"transport": "pass", "format": "fail"})
            for mode in ("plain", "stream")
            for n in (1, 2, 3)
        ],
        [BOTH],
    )
    hostile = excerpt(b"\x1b[31mred\x07 \xe2\x80\xaertl \xff" + b"x" * EXCERPT_BYTES)
    page = Page(80, False)
    case_page(
        page,
        BOTH,
        [ShownAttempt(score.attempts[0], hostile), ShownAttempt(score.attempts[1], NotMeasured("bodies are redacted"))],
        score,
    )
    text = page.text()
    assert "window 1, plain, attempt 1" in text and "kept: transport; broken: format" in text
    assert "\\u001b[31mred\\u0007 \\u202ertl \\xff" in text and "more bytes" in text.replace("\n  | ", "")
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    assert "(bodies are redacted)" in text and max(map(len, text.splitlines())) <= 80


def test_a_case_shows_its_question_and_equal_answers_once():
    score = scored(all_heard([JSON]), [JSON])
    asked = replace(JSON, prompt="Two\nlines \x1b[31m", request={"seed": 7}, expect={"value": 1})
    page = Page(80, False)
    case_page(page, asked, [ShownAttempt(one, "data: a\n\ndata: b\n") for one in score.attempts], score)
    text = page.text()
    assert "  | Two\n  | lines \\u001b[31m\n" in text and '| {"seed":7}' in text and "expected:" in text
    digests = {one.body_sha256 for one in score.attempts}
    assert text.count("  | data: a\n  |\n  | data: b\n") == len(digests)
    assert text.count("the same bytes as window 1, plain, attempt") == len(score.attempts) - len(digests)


def test_a_note_of_some_times_says_of_which():
    """What holds of every time stands once and alone."""
    score = scored(all_heard())
    times = [replace(one, note=f"of all; of {one.mode}") for one in score.latency]
    lines = [one.strip() for one in page_of(replace(score, latency=tuple(times))).splitlines()]
    modes = {one.mode for one in times}
    assert lines.count("of all") == 1 and len(modes) > 1
    assert all(lines.count(f"window 1 {mode}: of {mode}") == 1 for mode in modes)


def test_what_several_cases_show_alike_is_one_line():
    found = [
        Across(window=1, case_id=name, cls="param_ignored", reason="temperature", k=2, n=3, note=note)
        for name, note in (("a", "x"), ("b", "x"), ("c", "y"))
    ]
    assert across_lines(found) == [
        "a, b, window 1: param_ignored temperature 2/3: x",
        "c, window 1: param_ignored temperature 2/3: y",
    ]


@pytest.mark.parametrize("size", [0, 1, EXCERPT_BYTES, EXCERPT_BYTES + 1])
def test_an_excerpt_says_what_it_leaves_out(size):
    assert ("more byte" in excerpt(b"x" * size)) is (size > EXCERPT_BYTES)


def test_a_page_without_attempts_and_without_misses():
    assert "nothing was asked" in flat(page_of(scored([], windows=[])))
    assert f"{TITLE}\n  none" in page_of(scored(all_heard([JSON]), [JSON]))
