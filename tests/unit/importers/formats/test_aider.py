"""Folders of aider's benchmark: every ending, what was scheduled, what is mixed."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from denominator.errors import InputError
from denominator.importers.formats.aider import IMPORTER, endings
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source

WHOLE = {
    "testdir": "tmp.benchmarks/r/python/exercises/practice/x", "testcase": "x", "model": "acme/m", "edit_format": "diff",
    "tests_outcomes": [True], "cost": 0.5, "duration": 1.25, "test_timeouts": 0, "commit_hash": "abc1234",
    "prompt_tokens": 10, "completion_tokens": 4, "thinking_tokens": None, "chat_hashes": [["a", "b"]],
    "num_exhausted_context_windows": 1,
}  # fmt: skip
FRAMES = 'Traceback (most recent call last):\n  File "/home/someone/b.py", line 1, in f\n'


def result(**over: object) -> dict[str, object]:
    return {**WHOLE, **over}


def at(task: str, run: str = "r") -> str:
    language, name = task.split("/")
    return f"{run}/{language}/exercises/practice/{name}/.aider.results.json"


def raised(name: str) -> dict[str, object]:
    return {"exception": f"{FRAMES}{name}: no 429 here"}


CASES = {
    "first": (result(), endings.FIRST),
    "later": (result(tests_outcomes=[False, True]), endings.LATER),
    "red": (result(tests_outcomes=[False, False], test_timeouts=1), endings.RED),
    "hung": (result(tests_outcomes=[False, False], test_timeouts=2), endings.HUNG),
    "none": (result(tests_outcomes=[]), endings.NO_TESTS),
    "broke": (raised("ValueError"), endings.EXCEPTION),
    "prose": ({"exception": "the provider said: rate limit, 429"}, endings.EXCEPTION),
    "odd": ({"exception": 5}, endings.EXCEPTION),
    "lost": ('{"testdir": "tr', endings.UNREADABLE),
    "list": ([1], endings.UNREADABLE),
    "limit": (raised("litellm.exceptions.RateLimitError"), endings.RAISED["provider_rate_limit"]),
    "down": (raised("litellm.InternalServerError"), endings.RAISED["provider_error"]),
    "key": (raised("litellm.AuthenticationError"), endings.RAISED["provider_refused"]),
    "window": (raised("litellm.ContextWindowExceededError"), endings.RAISED["context_window"]),
    "policy": (raised("litellm.ContentPolicyViolationError"), endings.RAISED["content_refused"]),
}


def named(name: str, content: object) -> object:
    return {**content, "testcase": name} if isinstance(content, dict) and "testcase" in content else content


def folder(tmp_path, cases=CASES):
    return source(tmp_path, {at(f"python/{name}"): named(name, content) for name, (content, _) in cases.items()})


@pytest.mark.parametrize("name", CASES)
def test_ending(tmp_path, name):
    rows = by_task(read_all(IMPORTER, folder(tmp_path))[1])
    assert ended(rows[f"python/{name}"]) == promised(CASES[name][1])


def test_every_line_of_the_table_is_reached():
    assert {id(ending) for _, ending in CASES.values()} == {id(ending) for ending in IMPORTER.endings}


def test_scheduled_are_the_folders(tmp_path):
    members = {
        at("python/x"): result(),
        "r/cpp/exercises/practice/clock/.keep": "",
        "r/.git/config": "",
        "r/notes.md": "",
    }
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert (run.declared.declared_n, run.declared.tasks[0].tasks) == (2, ("cpp/clock", "python/x"))
    assert [one.row.key.task_id for one in rows] == ["python/x"]
    assert (run.name, rows[0].row.stratum) == ("r", "python")


def test_one_name_in_two_languages_is_two_tasks(tmp_path):
    members = {at("python/x"): result(), at("go/x"): result(tests_outcomes=[False])}
    _, rows = read_all(IMPORTER, source(tmp_path, members))
    assert [one.row.key.task_id for one in rows] == ["go/x", "python/x"]


def test_the_folder_of_a_run_and_an_older_shape(tmp_path):
    members = {name.removeprefix("r/"): content for name, content in {at("python/x"): result()}.items()}
    run, rows = read_all(IMPORTER, source(tmp_path / "mine", members))
    assert (run.name, rows[0].row.key.task_id) == ("mine", "python/x")
    older = {"x/.aider.results.json": result(), "y/y.py": "", "README": ""}
    run, rows = read_all(IMPORTER, source(tmp_path / "older", older))
    assert run.declared.tasks[0].tasks == ("x", "y")
    assert [one.row.key.task_id for one in rows] == ["x"]


def test_facts(tmp_path):
    _, rows = read_all(IMPORTER, source(tmp_path, {at("python/x"): result(cost=0, completion_tokens=0)}))
    row = rows[0].row
    assert (row.agent_ms, row.usage.prompt, row.asked_model) == (1250, 10, "acme/m")
    assert not row.usage.completion
    assert not row.own_account.cost
    assert row.extra["num_exhausted_context_windows"] == "1"
    assert not any("tmp.benchmarks" in value for value in row.extra.values())


def test_no_path_of_a_machine_is_carried_over(tmp_path):
    run, rows = read_all(IMPORTER, folder(tmp_path))
    assert "someone" not in repr((rows, run.told, run.document))


def test_conditions(tmp_path):
    members = {at("python/x"): result(), at("python/y"): result(testcase="y", tests_outcomes=[False, False])}
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    said = {name: run.document[name] for name in ("model_id", "edit_format", "harness_commit", "tries")}
    assert said == {"model_id": "acme/m", "edit_format": "diff", "harness_commit": "abc1234", "tries": "2"}
    assert (kinds(run), dict(run.unknown)) == ([], {})
    assert "passed at the first try: 1 (" in run.told.notes[0]


MIXED = [
    ({"model": "other"}, "mixed_model", "model_id"),
    ({"edit_format": "whole"}, "mixed_edit_format", "edit_format"),
    ({"commit_hash": "fff0000"}, "mixed_commit_hash", "harness_commit"),
    ({"tests_outcomes": [False]}, "tries_differ", "tries"),
]


@pytest.mark.parametrize(("over", "kind", "field"), MIXED)
def test_a_mixed_run_blocks(tmp_path, over, kind, field):
    members = {at("python/x"): result(tests_outcomes=[False, False]), at("python/y"): result(testcase="y", **over)}
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == [kind]
    assert field not in run.document
    assert run.unknown[field]


def test_a_changed_tree_is_no_commit(tmp_path):
    run, _ = read_all(IMPORTER, source(tmp_path, {at("python/x"): result(commit_hash="abc1234-dirty")}))
    assert kinds(run, blocks=False) == ["dirty_commit"]
    assert "harness_commit" not in run.document
    assert "abc1234-dirty" in run.unknown["harness_commit"]


def test_results_of_other_exercises_and_runs(tmp_path):
    members = {at("python/y"): result(), at("python/x"): result(testdir="tmp.benchmarks/q/python/exercises/practice/x")}
    run, _ = read_all(IMPORTER, source(tmp_path, members))
    assert kinds(run) == ["foreign_id"]
    assert kinds(run, blocks=False) == ["copied_results"]


@pytest.mark.parametrize("outcomes", [None, "true", [1], ["true"], {}])
def test_an_unknown_ending_keeps_its_row_and_blocks(tmp_path, outcomes):
    run, rows = read_all(IMPORTER, source(tmp_path, {at("python/x"): result(tests_outcomes=outcomes)}))
    assert kinds(run) == ["unknown_ending"]
    assert ended(rows[0]) == ("unscoreable", "HARNESS", "")


def test_several_runs(tmp_path):
    files = source(
        tmp_path, {at("python/x", "a/r"): result(), at("python/x", "b/r"): result(), at("go/x", "c"): result()}
    )
    assert [one.name for one in IMPORTER.recognise(files).parts] == ["a/r", "b/r", "c"]
    with pytest.raises(InputError, match="holds 3 runs"):
        IMPORTER.read(files)
    assert [one.row.key.task_id for one in read_all(IMPORTER, files, "c")[1]] == ["go/x"]


def test_other_folders_are_not_taken(tmp_path):
    assert IMPORTER.recognise(source(tmp_path, {"a/exercises/practice/x/notes.json": "{}"})) is None


@settings(max_examples=60)
@given(broken(json.dumps(result(tests_outcomes=[False, True])).encode()))
def test_broken_files_are_rows_or_defects(data):
    with TemporaryDirectory() as name:
        files = source(Path(name), {at("python/x"): data, at("python/y"): result(testcase="y")})
        assert read_or_refused(IMPORTER, files) == 2
