"""Ids that break paths: one safe name each, and the ones that leave their folder are problems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.wire.names import id_problem, original_name, safe_name

CASE = Path(__file__).parents[2] / "cases" / "086-names-that-break-paths" / "tasks.jsonl"
IDS = [json.loads(line)["id"] for line in CASE.read_text(encoding="utf-8").splitlines()]


def test_every_id_of_the_case_has_a_folder_of_its_own(tmp_path):
    for id_ in IDS:
        (tmp_path / safe_name(id_)).mkdir()
    names = [path.name for path in tmp_path.iterdir()]
    assert len({name.casefold() for name in names}) == len(IDS)
    assert {original_name(name) for name in names if "=x" not in name} == {id_ for id_ in IDS if len(id_) < 300}


def test_exactly_the_escaping_ids_are_problems():
    assert [id_ for id_ in IDS if id_problem(id_)] == ["../../evil", "..\\..\\evil"]


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        ("task-1", "task-1"),
        ("Task-1", "=54ask-1"),
        ("a/b", "a=2fb"),
        ("con", "=63on"),
        ("aux.txt", "=61ux.txt"),
        ("console", "console"),
        ("name.", "name=2e"),
        (".git", "=2egit"),
        ("-rf", "=2drf"),
        ("a=b", "a=3db"),
        ("", "="),
    ],
)
def test_names_are_readable(id_, name):
    assert safe_name(id_) == name
    assert original_name(name) == id_


ODD = ("\ud800", "a\u202eb", "a\u2028b", "\x85")


@pytest.mark.parametrize(
    "id_",
    [
        "",
        " ",
        "/etc",
        "\\\\host\\x",
        "C:\\x",
        "c:/x",
        "..",
        "a/../b",
        "a\\..",
        "a/.. /b",
        ".",
        "a\x00b",
        "a\nb",
        "\x7f",
        *ODD,
    ],
)
def test_problems_are_said(id_):
    assert id_problem(id_)


@pytest.mark.parametrize(
    "id_", ["a", "a/b", "a..b", "...", "2026-10-18T09:12:00Z:a", "日本語 task", "x" * 300, "~a", "a:b"]
)
def test_ordinary_ids_are_no_problem(id_):
    assert id_problem(id_) is None


@pytest.mark.parametrize(
    "name", ["Task", "a b", "a=2", "a=zz", "=61", "con", "a.", "..", "=ff", "a=x" + "0" * 64, "a/b"]
)
def test_names_that_safe_name_never_gives_have_no_original(name):
    assert original_name(name) is None
