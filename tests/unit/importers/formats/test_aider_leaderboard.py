"""Tables of aider's leaderboards: printed numbers, digit for digit, and not one row."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from denominator.errors import InputError
from denominator.importers.formats.aider_leaderboard import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.records.values import NotMeasured
from denominator.wire.sources import open_source
from foreign_data import broken, kinds, read_all, read_or_refused, source

ENTRY = {
    "dirname": "2024-12-21--one", "test_cases": "225", "model": "acme m", "edit_format": "diff", "commit_hash": "abc1234",
    "pass_rate_1": "30.0", "pass_rate_2": "62.50", "pass_num_1": "68", "pass_num_2": "141", "total_tests": "225",
    "percent_cases_well_formed": "100.0", "error_outputs": "430", "test_timeouts": "3", "versions": "0.30",
    "total_cost": "13.8300", "date": "2024-12-21", "command": "aider --openai-api-key sk-123 --model m",
}  # fmt: skip


def entry(**over: str) -> str:
    table = {name: value for name, value in {**ENTRY, **over}.items() if value}
    return "- " + "\n  ".join(f"{name}: {value}" for name, value in table.items()) + "\n"


def board(tmp_path, *entries: str):
    return source(tmp_path, {"board.yml": "".join(entries)})


def test_numbers_keep_their_digits(tmp_path):
    run, rows = read_all(IMPORTER, board(tmp_path, entry()))
    said = {one.metric: (one.value, one.unit, one.role, one.of) for one in run.told.published}
    assert rows == []
    assert said["pass_rate_1"] == ("30.0", "percent", "rate", "test_cases")
    assert said["pass_rate_2"] == ("62.50", "percent", "rate", "test_cases")
    assert said["pass_num_2"] == ("141", "count", "passed", "test_cases")
    assert said["total_tests"] == ("225", "count", "scheduled", "")
    assert said["test_cases"] == ("225", "count", "completed", "")
    assert said["error_outputs"] == ("430", "count", "other", "")
    assert said["total_cost"] == ("13.8300", "usd", "cost", "")
    assert run.document["agent_version"] == "0.30"


def test_no_rows_block_and_no_rate_is_made(tmp_path):
    found = import_foreign(IMPORTER, board(tmp_path, entry()))
    assert kinds(found.run) == ["no_rows"]
    assert found.result.judged.verdict.status == "blocked"
    assert all(not one.value for one in found.result.judged.estimates if one.metric == "headline")
    assert found.run.declared.declared_n == 225


def test_no_command_is_carried_over(tmp_path):
    assert "sk-123" not in repr(read_all(IMPORTER, board(tmp_path, entry()))[0])


TOLD = [
    ({"test_cases": "223"}, ["no_rows", "partial_run"]),
    ({"commit_hash": '"a1b2c3d, e4f5a6b"'}, ["mixed_commit_hash", "no_rows"]),
    ({"test_cases": "", "total_tests": ""}, ["no_rows", "no_size"]),
    ({"pass_num_2": "226"}, ["contradiction", "no_rows"]),
    ({"pass_num_2": "", "pass_num_1": ""}, ["no_rows"]),
]


@pytest.mark.parametrize(("over", "expected"), TOLD)
def test_told(tmp_path, over, expected):
    assert kinds(read_all(IMPORTER, board(tmp_path, entry(**over)))[0]) == expected


def test_what_is_missing_is_a_note(tmp_path):
    run, _ = read_all(IMPORTER, board(tmp_path, entry(pass_num_2="", total_cost="0.0000", total_tests="")))
    assert any("pass_num_2 is not printed" in note for note in run.told.notes)
    assert any("total_cost" in note for note in run.told.notes)
    assert "total_cost" not in {one.metric for one in run.told.published}


def test_without_a_total_nobody_says_how_many_were_scheduled_nor_what_a_percent_is_of(tmp_path):
    run, _ = read_all(IMPORTER, board(tmp_path, entry(test_cases="132", pass_num_2="", total_tests="")))
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert "test_cases" in run.declared.declared_n.not_measured
    assert {one.of for one in run.told.published if one.unit == "percent"} == {""}


@pytest.mark.parametrize("commit", ["5650697", "0755123", "1e52345", "12:30:45", "05a77c7"])
def test_a_commit_that_looks_like_a_number(tmp_path, commit):
    run, _ = read_all(IMPORTER, board(tmp_path, entry(commit_hash=commit)))
    assert run.document["harness_commit"] == commit


def test_a_changed_tree_is_no_commit(tmp_path):
    run, _ = read_all(IMPORTER, board(tmp_path, entry(commit_hash="abc1234-dirty")))
    assert kinds(run, blocks=False) == ["dirty_commit"]
    assert "harness_commit" not in run.document
    assert "abc1234-dirty" in run.unknown["harness_commit"]


def test_doubled_names_get_the_model_then_the_file(tmp_path):
    members = {
        "a.yml": entry() + entry(model="other") + entry(dirname="two") + entry(dirname="three"),
        "b.yml": entry(dirname="three") + entry(dirname="four") + entry(dirname="four"),
        "c.yml": "- text: dirname\n",
        "d.yml": "dirname: [",
    }
    files = source(tmp_path, members)
    names = [one.name for one in IMPORTER.recognise(files).parts]
    assert names == [
        "2024-12-21--one acme m",
        "2024-12-21--one other",
        "two",
        "a.yml/three",
        "b.yml/three",
        "b.yml#1",
        "b.yml#2",
    ]
    assert read_all(IMPORTER, files, "b.yml#2")[0].name == "b.yml#2"
    with pytest.raises(InputError, match="holds 7 runs"):
        IMPORTER.read(files)


def test_other_yaml_is_not_taken(tmp_path):
    assert IMPORTER.recognise(source(tmp_path, {"a.yml": "- dirname: x\n  score: 1\n", "b.yaml": "x: 1"})) is None


@settings(max_examples=60)
@given(broken((entry() + entry(dirname="two")).encode()))
def test_broken_files_are_refused_or_printed_numbers(data):
    with TemporaryDirectory() as name:
        path = Path(name, "board.yml")
        path.write_bytes(data)
        assert read_or_refused(IMPORTER, open_source(path)) == 0
