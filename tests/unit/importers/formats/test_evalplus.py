"""EvalPlus results: two sets of tests, samples as repeats, and the samples beside them."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from denominator.errors import InputError
from denominator.importers.formats.evalplus import IMPORTER
from denominator.importers.formats.evalplus.endings import BASE, PLUS, PLUS_OF_PASS
from denominator.wire.sources import open_source
from foreign_data import broken, ended, kinds, promised, read_all, read_or_refused, source

FILE = "m_eval_results.json"


def graded(base: object = "pass", plus: object = "pass", solution: str = "s", **over: object) -> dict[str, object]:
    statuses = {"base_status": base, "plus_status": plus, "base_fail_tests": [], "plus_fail_tests": []}
    return {"task_id": "HumanEval/0", "solution": solution, **statuses, **over}


def results(**tasks: list[object]) -> dict[str, object]:
    return {
        "date": "2026-01-01 10:00",
        "hash": "h1",
        "eval": {f"HumanEval/{name[1:]}": one for name, one in tasks.items()},
    }


def lines(*pairs: tuple[str, str]) -> str:
    return "".join(json.dumps({"task_id": task, "solution": solution}) + "\n" for task, solution in pairs)


WORDS = {"pass": "pass", "fail": "fail", "timeout": "timeout", None: "null"}
CASES = [
    *(("base", base, plus, BASE[WORDS[base]]) for base in WORDS for plus in WORDS),
    *(("plus", "pass", plus, PLUS_OF_PASS[WORDS[plus]]) for plus in WORDS),
    *(("plus", base, plus, PLUS[WORDS[base]]) for base in WORDS if base != "pass" for plus in WORDS),
]


@pytest.mark.parametrize(("suite", "base", "plus", "ending"), CASES)
def test_ending(tmp_path, suite, base, plus, ending):
    _, rows = read_all(IMPORTER, source(tmp_path, {FILE: results(t0=[graded(base, plus)])}), suite)
    assert ended(rows[0]) == promised(ending)
    assert rows[0].ending == ending.word


def test_every_line_of_the_table_is_reached():
    assert {one.word for *_, one in CASES} == {one.word for one in IMPORTER.endings}


def test_samples_are_repeats(tmp_path):
    members = {FILE: results(t0=[graded(), graded("fail", "fail")], t1=[graded(task_id="HumanEval/1")])}
    run, rows = read_all(IMPORTER, source(tmp_path, members), "plus")
    assert [(one.row.key.task_id, one.row.key.repeat) for one in rows] == [
        ("HumanEval/0", 1),
        ("HumanEval/0", 2),
        ("HumanEval/1", 1),
    ]
    assert not run.declared.declared_n
    assert kinds(run, blocks=False) == ["uneven_repeats"]
    assert (run.document["dataset_hash"], run.document["test_suite"]) == ("h1", "plus")
    assert any("164" in note for note in run.told.notes)
    assert any("2026-01-01 10:00" in note for note in run.told.notes)


@pytest.mark.parametrize(
    ("many", "beside", "name"),
    [
        (164, 0, "HumanEval+"),
        (2, 0, "a part of HumanEval+ (2 of its 164 tasks)"),
        (2, 164, "HumanEval+"),
        (170, 0, "170 tasks called as those of HumanEval+"),
    ],
)
def test_a_part_is_not_called_by_the_name_of_the_whole(tmp_path, many, beside, name):
    found = results(**{f"t{n}": [graded(task_id=f"HumanEval/{n}")] for n in range(many)})
    members = {FILE: found} | ({"m.jsonl": lines(*((f"HumanEval/{n}", "s") for n in range(beside)))} if beside else {})
    run, _ = read_all(IMPORTER, source(tmp_path, members), "plus")
    assert run.document["name"] == name


def test_the_samples_beside_are_the_plan(tmp_path):
    beside = lines(("HumanEval/0", "s"), ("HumanEval/0", "t"), ("HumanEval/9", "u"))
    members = {FILE: results(t0=[graded(), graded(solution="t")]), "m.jsonl": beside}
    run, _ = read_all(IMPORTER, source(tmp_path, members), "plus")
    assert run.declared.declared_n == 3
    assert {(one.tasks, one.repeats) for one in run.declared.tasks} == {(("HumanEval/9",), 1), (("HumanEval/0",), 2)}
    assert kinds(run) == []


@pytest.mark.parametrize("beside", [[("HumanEval/0", "other")], [("HumanEval/0", "s"), ("HumanEval/0", "s")]])
def test_results_of_other_samples_block(tmp_path, beside):
    members = {FILE: results(t0=[graded()]), "m.jsonl": lines(*beside)}
    assert kinds(read_all(IMPORTER, source(tmp_path, members), "base")[0]) == ["stale_results"]


def test_a_completion_alone_is_not_held_against_the_solution(tmp_path):
    members = {FILE: results(t0=[graded()]), "m.jsonl": '{"task_id": "HumanEval/0", "completion": "x"}\n'}
    assert kinds(read_all(IMPORTER, source(tmp_path, members), "base")[0]) == []


def test_samples_that_cannot_be_read(tmp_path):
    members = {FILE: results(t0=[graded()]), "m.jsonl": lines(("HumanEval/0", "s"), ("../x", "s")) + "[]\n{"}
    run, _ = read_all(IMPORTER, source(tmp_path, members), "base")
    assert kinds(run) == ["bad_line", "bad_line", "refused_id"]


TOLD = [
    ({"t0": [graded(base_fail_tests=[[1]])]}, ["contradiction"]),
    ({"t0": [graded(task_id="HumanEval/7")]}, ["foreign_id"]),
    ({"t0": [graded("ok")]}, ["unknown_ending"]),
    ({"t0": [graded(["pass"])]}, ["unknown_ending"]),
    ({"t0": ["x"]}, ["unknown_ending"]),
    ({"t0": "x", "t1": [graded(task_id="HumanEval/1")]}, ["bad_row"]),
]


@pytest.mark.parametrize(("tasks", "expected"), TOLD)
def test_told(tmp_path, tasks, expected):
    members = {FILE: {**results(**tasks), "about": "base_status"}}
    run, _ = read_all(IMPORTER, source(tmp_path, members), "plus")
    assert kinds(run) == expected


def test_the_tools_own_names_say_model_and_temperature(tmp_path):
    members = {"org--m-7b_vllm_temp_0.2_eval_results.json": results(t0=[graded()])}
    run, _ = read_all(IMPORTER, source(tmp_path, members), "plus")
    assert (run.document["model_id"], str(run.document["temperature"])) == ("org/m-7b", "0.2")
    run, _ = read_all(IMPORTER, source(tmp_path / "other", {FILE: results(t0=[graded()])}), "plus")
    assert "model_id" in run.unknown


def test_printed_rates(tmp_path):
    found = {**results(t0=[graded()]), "pass_at_k": {"base": {"pass@1": 1.0}, "plus": {"pass@1": 0.50, "x": "y"}}}
    run, _ = read_all(IMPORTER, source(tmp_path, {FILE: json.dumps(found).replace("0.5}", "0.50}")}), "plus")
    assert [(one.metric, one.unit, one.role) for one in run.told.published] == [("pass@1 plus", "share", "rate")]


def test_parts(tmp_path):
    files = source(tmp_path, {FILE: results(t0=[graded()]), "d/n_eval_results.json": results(t0=[graded()])})
    assert [one.name for one in IMPORTER.recognise(files).parts] == ["d/n plus", "d/n base", "m plus", "m base"]
    with pytest.raises(InputError, match="holds 4 runs"):
        IMPORTER.read(files)


def test_a_folder_of_samples_names_its_results(tmp_path):
    run, rows = read_all(IMPORTER, source(tmp_path, {"m_temp/eval_results.json": results(t0=[graded()])}), "base")
    assert (run.name, len(rows)) == ("m_temp base", 1)
    with pytest.raises(InputError, match="no run of this format"):
        IMPORTER.read(source(tmp_path / "none", {"a.json": {}}))


def test_other_files_are_not_taken(tmp_path):
    older = {"eval": {"HumanEval/0": {"nfiles": 1, "base": [["success", []]]}}}
    members = {FILE: older, "eval_results.json": {"a": True}, "n_eval_results.json": "{"}
    assert IMPORTER.recognise(source(tmp_path, members)) is None


@settings(max_examples=60)
@given(broken(json.dumps(results(t0=[graded(), graded("pass", None)], t1=[graded("timeout", "fail")])).encode()))
def test_broken_files_are_rows_or_refused(data):
    with TemporaryDirectory() as name:
        Path(name, FILE).write_bytes(data)
        Path(name, "m.jsonl").write_bytes(data)
        assert read_or_refused(IMPORTER, open_source(Path(name))) <= 6
