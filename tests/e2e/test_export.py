"""`export` as a user types it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest


@pytest.fixture
def kept(cli: Callable[..., Any], here: Path) -> Path:
    """An import of a table of SWE-bench Pro, kept in a folder."""
    (here / "eval_results.json").write_text(json.dumps({"a": True, "b": False, "c": True}))
    assert cli("import", "swebench-pro", here / "eval_results.json", "-o", here / "kept").code in (0, 1)
    return here / "kept"


def test_a_run_is_written_and_read_by_other_programs(cli: Callable[..., Any], here: Path, kept: Path) -> None:
    said = cli("export", "junit", kept, "-o", "report.xml")
    assert (said.code, said.out.strip()) == (0, "report.xml")
    assert "junit: a test case has no interval" in said.err
    states = {case.attrib["name"]: [one.tag for one in case] for case in ET.parse(here / "report.xml").iter("testcase")}
    assert states["b"] == ["failure"]
    assert cli("export", "csv", kept, "-o", "rows.csv", "--json").code == 0
    with (here / "rows.csv").open(newline="") as file:
        assert [(row["task_id"], row["outcome"]) for row in csv.DictReader(file)] == [
            ("a", "pass"),
            ("b", "fail"),
            ("c", "pass"),
        ]


def test_a_file_that_is_there_stays(cli: Callable[..., Any], here: Path, kept: Path) -> None:
    (here / "report.xml").write_text("mine")
    said = cli("export", "junit", kept, "-o", "report.xml")
    assert said.code == 2
    assert "the file is there already" in said.err
    assert (here / "report.xml").read_text() == "mine"


def test_a_withheld_rate_is_refused_and_nothing_is_written(cli: Callable[..., Any], here: Path, kept: Path) -> None:
    said = cli("export", "every-eval-ever", kept, "-o", "eee.json")
    assert said.code == 1
    assert "no rate may be printed" in said.err
    assert not (here / "eee.json").exists()


def test_formats_are_listed_with_what_they_cannot_say(cli: Callable[..., Any]) -> None:
    said = cli("export", "--list")
    assert all(
        word in said.out for word in ("junit: ", "csv: ", "every-eval-ever: ", "  - a test case has no interval")
    )
    assert {one["name"] for one in json.loads(cli("export", "--list", "--json").out)} >= {
        "junit",
        "csv",
        "every-eval-ever",
    }


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("junitt",), "did you mean 'junit'?"),
        (("junit", "nowhere"), "nowhere"),
        (("junit", "rows.jsonl"), "held by kind"),
    ],
)
def test_what_cannot_be_exported_is_said(cli: Callable[..., Any], args: tuple[str, ...], word: str) -> None:
    said = cli("export", *args)
    assert said.code == 2
    assert word in said.err
