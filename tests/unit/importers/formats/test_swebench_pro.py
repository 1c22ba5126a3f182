"""SWE-bench Pro: tables of one run and of several, values that are no verdict, ids that are no key."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.importers.formats.swebench_pro import IMPORTER, NOT_RESOLVED, RESOLVED
from denominator.records.values import NotMeasured
from foreign_data import by_task, ended, kinds, promised, read_all, source

NAME = "eval_results.json"


def test_both_endings_are_what_the_rules_say(tmp_path: Path) -> None:
    run, rows = read_all(IMPORTER, source(tmp_path, {NAME: {"a__b-1": True, "a__b-2": False}}))
    found = by_task(rows)
    assert ended(found["a__b-1"])[0] == RESOLVED.outcome
    assert ended(found["a__b-2"]) == promised(NOT_RESOLVED)
    assert [one.row.source.file for one in rows] == [f"{NAME}#/a__b-1", f"{NAME}#/a__b-2"]
    assert kinds(run) == []


def test_a_table_makes_no_plan(tmp_path: Path) -> None:
    run, _ = read_all(IMPORTER, source(tmp_path, {NAME: {"a": True}}))
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert run.declared.tasks == ()


def test_a_value_that_is_no_boolean_is_a_row_without_a_verdict(tmp_path: Path) -> None:
    run, rows = read_all(IMPORTER, source(tmp_path, {NAME: {"a": True, "b": "yes", "c": None, "d": 1}}))
    found = by_task(rows)
    assert [ended(found[name])[0] == "pass" for name in "abcd"] == [True, False, False, False]
    assert [found[name].ending for name in "bcd"] == ["", "", ""]
    assert kinds(run) == ["unknown_outcome"] * 3
    assert all(one.blocks for one in run.told.defects)


def test_an_id_that_can_be_no_key_is_told(tmp_path: Path) -> None:
    run, rows = read_all(IMPORTER, source(tmp_path, {NAME: {"a": True, "../b": True, "": True}}))
    assert [one.row.key.task_id for one in rows] == ["a"]
    assert kinds(run) == ["refused_id"] * 2


def test_one_of_several_runs_is_chosen(tmp_path: Path) -> None:
    files = source(tmp_path, {f"paper/one/{NAME}": {"a": True}, f"paper/two/{NAME}": {"a": False}})
    seen = IMPORTER.recognise(files)
    assert seen is not None
    assert [one.name for one in seen.parts] == ["one", "two"]
    assert ended(read_all(IMPORTER, files, "two")[1][0])[0] == "fail"
    with pytest.raises(InputError, match="holds 2 runs: one, two"):
        IMPORTER.read(files)


def test_runs_whose_folders_have_one_name_stay_apart(tmp_path: Path) -> None:
    files = source(tmp_path, {f"a/x/{NAME}": {"t": True}, f"b/x/{NAME}": {"t": False}, NAME: {"t": True, "u": True}})
    seen = IMPORTER.recognise(files)
    assert seen is not None
    names = [one.name for one in seen.parts]
    assert names == ["a/x", "b/x", tmp_path.name]
    assert [len(read_all(IMPORTER, files, name)[1]) for name in names] == [1, 1, 2]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"a": 1}', "[1, 2", b"\xff"])
def test_what_is_no_table_is_not_recognised(tmp_path: Path, content: str | bytes) -> None:
    assert IMPORTER.recognise(source(tmp_path, {NAME: content})) is None


def test_an_id_that_stands_twice_with_two_values_blocks(tmp_path: Path) -> None:
    run, rows = read_all(IMPORTER, source(tmp_path, {NAME: '{"a": true, "b": true, "b": true, "a": false}'}))
    assert [ended(one)[0] for one in rows] == ["fail", "pass"]
    assert kinds(run) == ["conflicting_rows"]
    assert run.told.defects[0].blocks
    assert "the key 'a' stands twice" in run.told.defects[0].what
