"""What verbs print fits the terminal."""

from __future__ import annotations

import pytest

from denominator.catalog import Entry
from denominator.catalog.words import WORDS, word_entries
from denominator.cli.main import run_cli
from denominator.cli.pages import add_prose, terminal_page
from denominator.pipeline.catalog import all_entries
from denominator.publish.terminal.findings import finding_line
from denominator.records.findings import Finding
from denominator.records.words import Origin, Rung, Slice


@pytest.fixture(params=[40, 80, 300])
def width(request, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(request.param))
    return min(request.param, 100)


def too_long(text, width):
    return [line for line in text.splitlines() if len(line) > width and " " in line.strip()]


def test_every_page_of_explain_fits(width, capsys):
    entries: tuple[Entry, ...] = tuple(all_entries())
    assert len(entries) > 60
    for entry in entries:
        assert run_cli(["explain", entry.code]) == 0
    assert too_long(capsys.readouterr().out, width) == []


@pytest.mark.parametrize(
    "word", ["rung", "slice", "Floor", "refused", "never-started", "rate_with_interval", "G2", "strata", "quorum"]
)
def test_a_word_of_a_page_is_explained(word, capsys):
    assert run_cli(["explain", word]) == 0
    assert "(a word)" in capsys.readouterr().out


def test_every_rung_slice_and_kind_of_finding_is_a_word():
    assert [
        one for one in (*Rung, *Slice, *Origin, "publishable", "blocked", "unknown") if not _explained(str(one))
    ] == []


def _explained(word):
    return any(word in (entry.name, *WORDS[entry.name][0]) or word in entry.doc for entry in word_entries())


def test_words_of_ours_hide_no_code_and_no_other_word():
    names = [name.lower() for word, (also, _) in WORDS.items() for name in (word, *also)]
    assert len(names) == len(set(names))
    assert not set(names) & {entry.code.lower() for entry in all_entries()}


def test_prose_is_wrapped_anew_and_keeps_its_parts(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    page = terminal_page()
    add_prose(page, "One line that\nruns on.\n\nBad: a thing.\nFix: another\nthing.\n")
    assert page.lines == ["One line that runs on.", "", "Bad: a thing.", "Fix: another thing."]


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("region-surcharge", "GL010 violated-control: region-surcharge: it guessed"),
        ("control", "GL010 violated-control: it guessed"),
        ("guessed", "GL010 violated-control: it guessed"),
    ],
)
def test_a_finding_names_its_subject_once(subject, line):
    finding = Finding(
        code="GL010",
        allow_name="violated-control",
        severity="block",
        subject=subject,
        what="it guessed",
        where="",
        fix="",
    )
    assert finding_line(finding) == line
