"""The page of an endpoint bench: complete without a script, hostile text inert, withheld numbers absent."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from denominator.publish.html.probe import probe_html
from denominator.records.probe_results import Across, Line, Quantiles
from denominator.records.values import NotMeasured
from probing_data import attempts, score, window

VOID = frozenset({"meta", "br", "img", "hr", "link", "input"})
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&\x1b[31m\x00"


class Reader(HTMLParser):
    """Tags that do not match, and everything that could act."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.words: list[str] = []
        self.policy = ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"]
        self.wrong += [value for name, value in attrs if name in ("href", "src") and not value.startswith("#")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open and not reader.wrong, (reader.open, reader.wrong)
    return reader


def rich(**over):
    """A score with something in every part."""
    made = (*attempts(6), *attempts(2, cls="format_drift", reason="code_fence"), *attempts(2, group="malformed"))
    lines = (
        Line(window=1, group="strict_json", cls="pass", reason="", k=6, n=8),
        Line(window=1, group="strict_json", cls="format_drift", reason="code_fence", k=2, n=8),
        Line(window=2, group="strict_json", cls="pass", reason="", k=8, n=8),
        Line(window=1, group="malformed", cls="pass", reason="", k=2, n=2),
    )
    times = Quantiles(
        window=1,
        mode="plain",
        of="total",
        kind="service_time",
        n=8,
        censored=1,
        p50=1_200,
        p95=NotMeasured("too few"),
        max=9_999,
        rule="nearest rank",
    )
    across = Across(
        window=1, case_id="answer", cls="param_ignored", reason="temperature", k=3, n=3, note="3 distinct of 3"
    )
    return score(
        attempts=made, histogram=lines, latency=(times,), across=(across,), windows=(window(1), window(2)), **over
    )


def test_the_page_is_whole_and_says_what_the_score_says():
    reader = read(probe_html(rich()))
    words = " ".join(reader.words)
    for told in ("6 of 8", "2 of 8", "format_drift: code_fence", "3 distinct of 3", "1.2", "9.9", "too few", "direct"):
        assert told in words, told
    assert words.index("40 of 40") < words.index("6 of 8"), "the sentence comes first"


def test_it_needs_no_script_and_nothing_from_elsewhere():
    page = probe_html(rich())
    reader = read(page)
    assert not reader.tags & {"script", "link", "img", "iframe", "object", "form", "base", "svg"}
    assert not {name for name in reader.names if name.startswith("on")}
    assert reader.policy.startswith("default-src 'none'")
    assert "@import" not in page and "url(" not in page


@pytest.mark.parametrize(
    "where", ["name", "model", "url", "sentences", "notes", "case", "note", "across", "model echo"]
)
def test_text_from_outside_is_inert(where):
    made = rich()
    broken = replace(
        made.attempts[6], case_id=HOSTILE if where == "case" else "c", note=HOSTILE if where == "note" else ""
    )
    over = {
        "name": {"name": HOSTILE},
        "model": {"model": HOSTILE},
        "url": {"url": f"http://h/{HOSTILE}"},
        "sentences": {"sentences": (HOSTILE,)},
        "notes": {"notes": (HOSTILE,)},
        "case": {"attempts": (broken,)},
        "note": {"attempts": (broken,)},
        "across": {"across": (replace(made.across[0], note=HOSTILE, case_id=HOSTILE),)},
        "model echo": {"facts": replace(made.facts, models=(HOSTILE,))},
    }[where]
    page = probe_html(replace(made, **over))
    reader = read(page)
    assert not reader.tags & {"script", "img"}
    assert "\x1b" not in page and "\x00" not in page
    assert "alert(1)" in " ".join(reader.words)


def test_a_withheld_window_shows_no_pass():
    held = replace(window(1), withheld="3 of 8 attempts are invalid (3 rate_limited), above the ceiling of 0.05")
    made = replace(rich(), windows=(held, window(2)), sentences=("nothing is said",))
    words = " ".join(read(probe_html(made)).words)
    assert "6 of 8" not in words and "above the ceiling" in words


def test_every_bar_says_its_number_in_words():
    page = probe_html(rich())
    assert page.count('class="bar') == page.count('role="img" aria-label=')


def test_an_empty_probe_is_a_page_too():
    made = score(attempts=(), windows=(), sentences=(), missing=("json-1 plain 1",))
    assert "Nothing may be said yet" in " ".join(read(probe_html(made)).words)
