"""What verbs print fits the terminal."""

from __future__ import annotations

import pytest

from denominator.catalog import Entry
from denominator.cli.main import run_cli
from denominator.cli.pages import add_prose, terminal_page
from denominator.pipeline.catalog import all_entries
from denominator.publish.terminal.findings import finding_line
from denominator.records.findings import Finding


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
