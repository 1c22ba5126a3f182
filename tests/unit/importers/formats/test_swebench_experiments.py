"""SWE-bench/experiments: three shapes of results, the traps of metadata, sums, boards, broken members."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from denominator.errors import InputError
from denominator.importers.formats.swebench_experiments import IMPORTER
from denominator.importers.formats.swebench_experiments.splits import split_of_assets, split_of_path
from denominator.records.values import NotMeasured
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source
from importer_examples import swebench_experiments as made
from importer_examples.swebench import PATCH, lines, report, run_report

BY_WORD = {one.word: one for one in IMPORTER.endings}
SUB = "evaluation/lite/20260102_coder"


def submission(tmp_path: Path, results: object, metadata: str = made.NEW, **more):
    """(run, rows by task) of one submission of the split lite."""
    members = {f"{SUB}/metadata.yaml": metadata, f"{SUB}/results/results.json": results}
    run, rows = read_all(IMPORTER, source(tmp_path, members | {f"{SUB}/{name}": one for name, one in more.items()}))
    return run, by_task(rows)


def preds(ids: dict[str, str | None]) -> dict[str, str]:
    return {"all_preds.jsonl": lines(made.handed(ids))}


def outcomes(rows) -> dict[str, str]:
    return {task[-1]: ended(one)[0] for task, one in rows.items()}


@pytest.mark.parametrize(
    "part", ["lite/20260102_coder", "lite/20240102_old", "bash-only/20260102_mini", "verified/20240102_java"]
)
def test_every_row_ends_as_the_rules_say(tmp_path: Path, part: str):
    run, rows = read_all(IMPORTER, source(tmp_path, made.everything()), part)
    for one in rows:
        said, line = ended(one), promised(BY_WORD[one.ending])
        assert (said[0], said[2]) == (line[0], line[2]) and line[1] in ("", said[1]), one.ending
    assert kinds(run) == []


def test_what_was_handed_in_and_stands_in_no_list_is_not_resolved(tmp_path: Path):
    _, rows = read_all(IMPORTER, source(tmp_path, made.everything()), "lite/20260102_coder")
    assert outcomes(by_task(rows)) == {"1": "pass", "2": "abstain", "3": "unscoreable", "4": "fail", "5": "abstain"}


def test_an_id_that_stands_five_times_counts_once_and_is_published_as_it_stands(tmp_path: Path):
    run, rows = submission(tmp_path, {"no_generation": [], "no_logs": [], "resolved": ["p__q-1"] * 5 + ["p__q-2"]})
    assert outcomes(rows) == {"1": "pass", "2": "pass"}
    assert (run.declared.declared_n, run.declared.tasks) == (300, ())
    assert "duplicate_ids" in kinds(run, blocks=False)
    entries = next(one for one in run.told.published if one.metric == "resolved (entries)")
    assert (entries.value, entries.role) == ("6", "passed")


def test_a_resolved_id_in_another_list_is_no_pass_and_blocks(tmp_path: Path):
    run, rows = submission(tmp_path, {"no_logs": ["p__q-1"], "resolved": ["p__q-1"]})
    assert outcomes(rows) == {"1": "unscoreable"}
    assert kinds(run) == ["overlapping_lists"]


def test_the_older_ten_lists_give_every_ending(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, made.everything()), "lite/20240102_old")
    assert {task: ended(one) for task, one in by_task(rows).items()} == {
        "o-1": ("abstain", "MODEL", ""), "o-2": ("unscoreable", "HARNESS", "missing_artifact"),
        "o-3": ("unscoreable", "HARNESS", "grader_error"), "o-4": ("unscoreable", "HARNESS", "grader_error"),
        "o-5": ("fail", "MODEL", ""), "o-6": ("unscoreable", "HARNESS", "grader_error"),
        "o-7": ("unscoreable", "HARNESS", "harness_timeout"), "o-8": ("fail", "MODEL", ""), "o-9": ("pass", "MODEL", ""),
    }  # fmt: skip
    assert run.declared.declared_n == 300


def test_an_ending_of_what_was_not_generated_is_none(tmp_path: Path):
    run, rows = submission(tmp_path, made.ten() | {"resolved": ["o-9", "p__q-1"]})
    assert rows["p__q-1"].ending == ""
    assert kinds(run) == ["not_handed_in"]


def test_a_list_that_nobody_knows_blocks(tmp_path: Path):
    run, _ = submission(tmp_path, {"resolved": ["p__q-1"], "half_resolved": ["p__q-2"]})
    assert kinds(run) == ["unknown_word"]


def test_reports_of_instances_outrank_a_list(tmp_path: Path):
    more = {"logs/p__q-1/report.json": report(False)}
    run, rows = submission(tmp_path, {"resolved": ["p__q-1"]}, **more)
    assert ended(rows["p__q-1"]) == ("fail", "MODEL", "")
    assert kinds(run) == ["contradiction"]


def test_predictions_that_were_not_evaluated_block(tmp_path: Path):
    lists = made.older(run_report(resolved_ids=["p__q-1"], incomplete_ids=["p__q-2"]))
    run, rows = submission(tmp_path, lists, **preds({"p__q-1": PATCH, "p__q-2": PATCH}))
    assert outcomes(rows) == {"1": "pass", "2": "unscoreable"}
    assert kinds(run) == ["not_evaluated"]


def test_an_index_names_the_instances_of_a_split(tmp_path: Path):
    run, _ = read_all(IMPORTER, source(tmp_path, made.everything()), "verified/20240102_java")
    assert run.declared.tasks[0].tasks == ("p__q-1", "p__q-2")
    assert run.document["dataset"] == {"name": "java/verified"}


@pytest.mark.parametrize(
    ("checked", "told"),
    [("true", "checked by"), ("false", ""), ("null", ""), ("false (See README.md for more)", "not a yes or no")],
)
def test_checked_is_read_for_what_it_is(tmp_path: Path, checked: str, told: str):
    text = f"info: {{name: a}}\ntags:\n  checked: {checked}\n"
    run, _ = submission(tmp_path, {"resolved": ["p__q-1"]}, text)
    assert (
        any(told in note for note in run.told.notes) if told else not any("checked" in note for note in run.told.notes)
    )


def test_attempts_models_and_typed_percents(tmp_path: Path):
    run, _ = submission(tmp_path / "one", {"resolved": ["p__q-1"]})
    assert (run.document["max_attempts"], run.document["model_id"]) == (1, "lab-1")
    assert [(one.metric, one.value) for one in run.told.published if one.unit == "percent"] == [
        ("resolved (typed by hand)", "50.25")
    ]
    text = made.NEW.replace("'1'", "2+").replace("[lab-1]", "[lab-1, lab-2]")
    run, _ = submission(tmp_path / "more", {"resolved": ["p__q-1"]}, text)
    assert not {"max_attempts", "model_id"} & run.document.keys()
    assert set(run.unknown) == {"max_attempts", "model_id"}
    assert "authors" not in json.dumps(run.document) and "somebody" not in json.dumps(run.document)


def test_the_older_metadata_is_read(tmp_path: Path):
    run, _ = submission(tmp_path, {"resolved": ["p__q-1"]}, made.OLD)
    assert run.arm == "Coder 0" and run.told.notes


def test_sums_beside_the_list_must_agree(tmp_path: Path):
    right = {"results/resolved_by_repo.json": {"p/q": {"resolved": 1, "total": 300}}}
    run, _ = submission(tmp_path / "right", {"resolved": ["p__q-1", "p__q-1"]}, **right)
    assert kinds(run) == []
    wrong = {"results/resolved_by_time.json": {"2020": {"resolved": 2, "total": 200}}}
    run, _ = submission(tmp_path / "wrong", {"resolved": ["p__q-1", "p__q-1"]}, **wrong)
    assert kinds(run) == ["dataset_size_mismatch", "sums_differ"]


def test_details_and_results_must_agree(tmp_path: Path):
    more = {"per_instance_details.json": made.details()}
    run, rows = submission(tmp_path / "right", {"resolved": ["p__q-1"]}, **more)
    assert outcomes(rows) == {"1": "pass", "2": "fail"} and kinds(run) == []
    assert rows["p__q-1"].row.own_account.cost == "0.5"
    run, _ = submission(tmp_path / "wrong", {"resolved": ["p__q-2"]}, **more)
    assert kinds(run) == ["contradiction"]


def test_a_cost_of_nothing_is_unknown(tmp_path: Path):
    _, rows = read_all(IMPORTER, source(tmp_path, made.everything()), "bash-only/20260102_mini")
    one, two = (by_task(rows)[name].row.own_account for name in ("p__q-1", "p__q-2"))
    assert (one.cost, one.calls, two.calls) == ("0.5", 12, 3)
    assert isinstance(two.cost, NotMeasured)


def test_details_that_say_neither_block(tmp_path: Path):
    details = {f"{SUB}/per_instance_details.json": {"p__q-1": {"resolved": "yes"}}}
    run, rows = read_all(IMPORTER, source(tmp_path, details))
    assert kinds(run) == ["unknown_outcome"] and rows[0].ending == ""


@pytest.mark.parametrize(
    ("folder", "source_name", "split"),
    [
        ("evaluation/verified/a", "x", "verified"), ("a", "lite", "lite"), ("test/a", "evaluation", "test"), ("a", "x", ""),
        ("", "a", ""), ("evaluation/java/verified/a", "x", ""), ("java/verified/a", "evaluation", ""),
    ],
)  # fmt: skip
def test_the_split_is_in_the_path(folder: str, source_name: str, split: str):
    assert split_of_path(folder, source_name) == split


def test_the_split_is_in_the_addresses_of_logs():
    assert (
        split_of_assets({"logs": "s3://b/multimodal/2026_a/logs", "trajs": "s3://b/multimodal/2026_a/trajs"})
        == "multimodal"
    )
    assert split_of_assets({"logs": "s3://b/lite/a/logs", "trajs": "s3://b/test/a/trajs"}) == ""
    assert split_of_assets(None) == ""


def test_boards_print_percents_and_list_one_run_twice(tmp_path: Path):
    files = source(tmp_path, {"data/leaderboards.json": made.boards()})
    names = [one.name for one in IMPORTER.recognise(files).parts]
    assert names == ["bash-only/20260102_mini", "Verified/20260102_mini", "Verified/20260102_other"]
    run, rows = read_all(IMPORTER, files, "bash-only/20260102_mini")
    assert len(rows) == 2 and run.declared.declared_n == 500 and kinds(run, blocks=False).count("cross_listed") == 1
    assert "max_attempts" in run.unknown
    run, rows = read_all(IMPORTER, files, "Verified/20260102_other")
    assert rows == [] and kinds(run) == ["no_rows"]
    assert [(one.metric, one.value) for one in run.told.published] == [("resolved (typed by hand)", "64.93")]


def test_a_submission_without_results_says_so(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, {f"{SUB}/metadata.yaml": made.NEW, f"{SUB}/README.md": "x"}))
    assert rows == [] and kinds(run) == ["no_results"]


def test_nothing_of_it_is_refused(tmp_path: Path):
    files = source(tmp_path, {"a.json": {}})
    assert IMPORTER.recognise(files) is None
    with pytest.raises(InputError):
        IMPORTER.read(files)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    broken(json.dumps({"no_generation": ["p__q-2"], "no_logs": [], "resolved": ["p__q-1"]}).encode()),
    broken(made.NEW.encode()),
)
def test_broken_results_and_metadata_are_refused_or_read(tmp_path_factory, results, metadata):
    members = {f"{SUB}/metadata.yaml": metadata, f"{SUB}/results/results.json": results}
    assert read_or_refused(IMPORTER, source(tmp_path_factory.mktemp("exp"), members)) < 10


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(broken(json.dumps(made.boards()).encode()))
def test_broken_boards_are_refused_or_read(tmp_path_factory, data):
    assert read_or_refused(IMPORTER, source(tmp_path_factory.mktemp("exp"), {"leaderboards.json": data})) < 20
