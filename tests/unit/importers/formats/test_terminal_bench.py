"""Terminal-Bench: every failure mode with every flag through our own label rules, the plan, copies, and what is told."""

from __future__ import annotations

import json
import shutil

import pytest

from denominator.importers.formats.terminal_bench import IMPORTER
from denominator.importers.formats.terminal_bench import endings as ends
from denominator.records.values import NotMeasured
from denominator.wire.sources import open_source
from importer_examples import terminal_bench as made
from unit.importers.formats.foreign_lab import judged, kinds, promised, read_all

LINES = list(ends.TABLE.items())


def one_trial(folder, **more):
    """(run, the only row) of a run with one declared draw."""
    flag = more.pop("is_resolved", True)
    row = made.trial("alpha", 1, flag if isinstance(flag, bool) else None, n=1) | {"is_resolved": flag} | more
    made.write(folder / "results.json", {"results": [row], "n_resolved": 0, "n_unresolved": 0})
    made.write(folder / "run_metadata.json", made.metadata("run-1", task_ids=["alpha"], n_attempts=1, dataset_size=1))
    run, rows = read_all(IMPORTER, folder)
    return run, rows["alpha", 1]


@pytest.mark.parametrize(("shape", "line"), LINES, ids=[line.word for _, line in LINES])
def test_our_rules_say_what_the_table_says(tmp_path, shape, line):
    mode, flag = shape
    run, found = one_trial(tmp_path, is_resolved=flag, failure_mode=mode)
    assert judged(found, run.document["on_timeout"]) == promised(line)
    assert kinds(run) == []
    late = {"timeout"} if mode == "agent_timeout" else set()
    assert {found.row.stop_reason} - {NotMeasured("not recorded")} == late


def test_the_words_of_the_table_are_its_own():
    assert len({line.word for line in IMPORTER.endings}) == len(IMPORTER.endings) == 3 * len(ends.MODES) + 4


def test_a_null_is_never_a_failure_of_the_model_unless_its_own_time_was_over():
    blamed = {mode for (mode, flag), line in LINES if flag is None and line.outcome == "fail"}
    assert blamed == {"agent_timeout"}


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("tests", [{}, None])
def test_a_flag_without_a_test_is_no_verdict(tmp_path, flag, tests):
    run, found = one_trial(tmp_path, is_resolved=flag, parser_results=tests)
    assert judged(found) == promised(ends.EMPTY)
    assert kinds(run) == ["empty_report"]


def test_a_flag_without_a_test_under_a_mode_that_explains_it_is_that_mode_s(tmp_path):
    _, found = one_trial(tmp_path, is_resolved=True, parser_results={}, failure_mode="agent_timeout")
    assert judged(found) == promised(ends.TABLE["agent_timeout", None])


@pytest.mark.parametrize(("flag", "tests"), [(True, {"a": "failed"}), (False, {"a": "passed"}), (False, {"a": "odd"})])
def test_a_flag_against_its_tests_blocks(tmp_path, flag, tests):
    run, found = one_trial(tmp_path, is_resolved=flag, parser_results=tests)
    assert judged(found) == promised(ends.CONTRADICTED)
    assert len(kinds(run, blocks=True)) == 1


@pytest.mark.parametrize(
    "more", [{"failure_mode": "gremlins"}, {"failure_mode": 3}, {"is_resolved": "true"}, {"is_resolved": 1}]
)
def test_words_that_nobody_knows_keep_their_place_and_block(tmp_path, more):
    run, found = one_trial(tmp_path, **more)
    assert len(kinds(run, blocks=True)) == 1
    assert (found.row.grade, found.labels) == ("none", ())
    assert judged(found)[0] == "unscoreable"


def test_a_run_of_two_attempts(tmp_path):
    run, rows = read_all(IMPORTER, made.run(tmp_path / "run-1"))
    assert {draw: one.row.grade for draw, one in rows.items()} == {
        ("alpha", 1): "green", ("alpha", 2): "red", ("beta.hard", 1): "green", ("beta.hard", 2): "none",
    }  # fmt: skip
    assert (run.declared.declared_n, run.declared.tasks[0].repeats) == (4, 2)
    assert kinds(run) == []
    assert run.told.notes == [
        "1 of 4 trials have no verdict; `accuracy` counts them as failures, and here they are none"
    ]


def test_facts_of_a_row(tmp_path):
    row = read_all(IMPORTER, made.run(tmp_path / "run-1"))[1]["alpha", 2].row
    assert (row.setup_ms, row.agent_ms, row.grade_ms, row.wall_ms) == (10_000, 60_000, 10_000, 120_000)
    assert (row.usage.prompt, row.usage.completion) == (40, 4)
    assert (row.test_counts.passed, row.test_counts.failed) == (1, 1)
    assert json.loads(row.extra["failed_tests"]) == ["test_two"]
    assert row.source.file == "results.json#/results/1"
    zero = one_trial(tmp_path / "zero", total_input_tokens=0, total_output_tokens=None)[1].row
    assert isinstance(zero.usage.prompt, NotMeasured)
    assert isinstance(zero.usage.completion, NotMeasured)


def test_the_plan_comes_from_metadata_then_from_the_lock_then_is_a_number_or_unknown(tmp_path):
    root = made.run(tmp_path / "run-1", {("alpha", 1): True})
    assert read_all(IMPORTER, root)[0].declared.declared_n == 4
    made.write(root / "run_metadata.json", made.metadata("run-1", task_ids=None))
    assert read_all(IMPORTER, root)[0].declared.tasks[0].tasks == ("alpha", "beta.hard")
    (root / "tb.lock").unlink()
    declared = read_all(IMPORTER, root)[0].declared
    assert (declared.declared_n, declared.tasks) == (4, ())
    (root / "run_metadata.json").unlink()
    run, rows = read_all(IMPORTER, root)
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert {"model_id", "harness_version"} <= run.unknown.keys()
    assert list(rows) == [("alpha", 1)]


def test_metadata_and_lock_must_speak_of_the_same_tasks(tmp_path):
    root = made.run(tmp_path / "run-1")
    made.write(root / "run_metadata.json", made.metadata("run-1", dataset_size=3))
    assert kinds(read_all(IMPORTER, root)[0], blocks=True) == ["plan_differs"]
    made.write(root / "run_metadata.json", made.metadata("run-1", task_ids=["alpha", "gamma"]))
    assert kinds(read_all(IMPORTER, root)[0], blocks=True) == ["plan_differs", "foreign_id"]


def test_a_copy_inside_another_run_is_read_once(tmp_path):
    made.run(tmp_path / "board" / "run-1")
    made.run(tmp_path / "board" / "run-2", run_id="run-2")
    shutil.copytree(tmp_path / "board" / "run-2", tmp_path / "board" / "run-1" / "run-2")
    assert [one.name for one in IMPORTER.recognise(open_source(tmp_path / "board")).parts] == ["run-1", "run-2"]
    outer, rows = read_all(IMPORTER, tmp_path / "board", "run-1")
    assert (len(rows), kinds(outer)) == (4, ["run_inside"])
    inner, rows = read_all(IMPORTER, tmp_path / "board", "run-2")
    assert (len(rows), kinds(inner)) == (4, ["nested_copy"])
    alone, rows = read_all(IMPORTER, tmp_path / "board" / "run-1")
    assert (len(rows), kinds(alone)) == (4, ["run_inside"])


def test_runs_of_one_name_are_told_apart_by_their_folders(tmp_path):
    made.run(tmp_path / "a" / "run-1")
    made.run(tmp_path / "b" / "run-1", {("alpha", 1): True})
    assert [one.name for one in IMPORTER.recognise(open_source(tmp_path)).parts] == ["a/run-1", "b/run-1"]


def test_duplicates_and_conflicts(tmp_path):
    rows = [made.trial("alpha", 1, True), made.trial("alpha", 1, True), made.trial("alpha", 1, False)]
    made.write(tmp_path / "results.json", {"results": rows, "n_resolved": 1, "n_unresolved": 0})
    run, found = read_all(IMPORTER, tmp_path)
    assert [(one.kind, one.blocks) for one in run.told.defects] == [
        ("duplicate_rows", False),
        ("conflicting_rows", True),
    ]
    assert found["alpha", 1].row.grade == "green"


def test_rows_that_do_not_belong_here_block(tmp_path):
    root = made.run(tmp_path / "run-1")
    table = made.results(made.FLAGS, "run-1")
    table["results"] += [
        made.trial("gamma", 1, True), made.trial("alpha", 3, True), made.trial("beta.hard", 3, True, run_id="other", n=3),
    ]  # fmt: skip
    made.write(root / "results.json", table)
    run, rows = read_all(IMPORTER, root)
    assert kinds(run, blocks=True) == [
        "foreign_id",
        "beyond_plan",
        "other_attempts",
        "several_run_ids",
        "lists_differ",
    ]
    assert len(rows) == 7


@pytest.mark.parametrize("bad", ["../x", "/abs", 7, None, "", "a\u202eb"])
def test_ids_that_can_be_no_key_are_refused(tmp_path, bad):
    made.write(
        tmp_path / "results.json",
        {"results": [made.trial("alpha", 1, True) | {"task_id": bad}, "x"], "n_unresolved": 0},
    )
    run, rows = read_all(IMPORTER, tmp_path)
    assert (rows, kinds(run, blocks=True)) == ({}, ["refused_id", "bad_row", "no_rows"])


def test_a_trial_name_that_says_nothing_is_numbered_in_order(tmp_path):
    rows = [made.trial("alpha", 1, flag) | {"trial_name": f"odd{flag}"} for flag in (True, False)]
    made.write(tmp_path / "results.json", {"results": rows, "task_id": 0, "n_resolved": 1, "n_unresolved": 1})
    found = read_all(IMPORTER, tmp_path)[1]
    assert [one.row.numbered for one in found.values()] == [False, False]
    assert sorted(found) == [("alpha", 1), ("alpha", 2)]


def test_results_of_trials_may_be_missing_and_may_not_contradict(tmp_path):
    root = made.run(tmp_path / "run-1")
    shutil.rmtree(root / "alpha" / "alpha.1-of-2.run-1")
    assert kinds(read_all(IMPORTER, root)[0]) == []
    made.write(root / "alpha" / "alpha.2-of-2.run-1" / "results.json", made.trial("alpha", 2, True))
    (root / "beta.hard" / "beta.hard.1-of-2.run-1" / "results.json").write_text("{")
    run, rows = read_all(IMPORTER, root)
    assert [(one.kind, one.blocks) for one in run.told.defects] == [("conflicting_rows", True), ("broken_file", False)]
    assert rows["alpha", 2].row.grade == "red"


def test_a_run_that_broke_off_is_read_from_its_trial_folders(tmp_path):
    root = made.run(tmp_path / "run-1")
    (root / "results.json").unlink()
    made.write(root / "run_metadata.json", made.metadata("run-1", end_time=None))
    gone = root / "alpha" / "alpha.2-of-2.run-1"
    (gone / "results.json").unlink()
    (gone / "commands.txt").write_text("ls\n")
    (root / "beta.hard" / "beta.hard.2-of-2.run-1" / "results.json").write_text("[]")
    run, rows = read_all(IMPORTER, root)
    assert rows["alpha", 1].row.grade == "green"
    assert judged(rows["alpha", 2]) == promised(ends.KILLED)
    assert judged(rows["beta.hard", 2]) == promised(ends.BROKEN)
    assert kinds(run) == ["no_results", "interrupted", "broken_file"]
    assert run.declared.declared_n == 4


def test_a_trial_that_only_its_folder_holds_is_a_row_and_told(tmp_path):
    root = made.run(tmp_path / "run-1")
    made.write(
        root / "results.json",
        made.results({key: flag for key, flag in made.FLAGS.items() if key != ("alpha", 1)}, "run-1"),
    )
    run, rows = read_all(IMPORTER, root)
    assert rows["alpha", 1].row.grade == "green"
    assert "only_in_folder" in kinds(run, blocks=False)


def test_lists_that_are_not_those_of_the_rows_block(tmp_path):
    root = made.run(tmp_path / "run-1")
    made.write(root / "results.json", made.results(made.FLAGS, "run-1", resolved_ids=["alpha"]))
    assert kinds(read_all(IMPORTER, root)[0], blocks=True) == ["lists_differ"]


def test_what_is_printed_is_published(tmp_path):
    told = read_all(IMPORTER, made.run(tmp_path / "run-1"))[0].told.published
    found = {(one.where.rpartition("/")[0].partition("#")[0], one.metric): (one.value, one.role) for one in told}
    assert found["results.json", "accuracy"] == found["run_metadata.json", "accuracy"] == ("0.5", "rate")
    assert found["results.json", "n_resolved"] == ("2", "passed")
    assert ("results.json", "pass@2") in {(where.partition("#")[0], name) for where, name in found}


def test_nobody_s_name_path_or_key_is_carried_over(tmp_path):
    run, rows = read_all(IMPORTER, made.run(tmp_path / "run-1"))
    told = json.dumps(dict(run.document), default=str) + str([one.row for one in rows.values()])
    assert not any(word in told for word in ("somebody", "a-bucket", "abc", "/home"))
    assert run.document["invocation_args"][:3] == ["run", "-a", "coder"]
    assert (run.document["harness_version"], run.document["wall_cap_s"], run.document["name"]) == (
        "0.2.15",
        600,
        "core",
    )
    assert "harness_commit" not in run.document
    assert "harness_commit" in run.unknown


def test_a_resumed_run_is_told(tmp_path):
    root = made.run(tmp_path / "run-1")
    made.write(root / "run_metadata.json", made.metadata("run-1", resumed_at="2026-08-17T00:00:00+00:00"))
    assert kinds(read_all(IMPORTER, root)[0]) == ["resumed"]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"results": []}', '{"results": [{"id": 1}]}', '{"trial_name": "x", "task_id": "y"}']
)
def test_what_is_no_run_is_not_taken(tmp_path, text):
    (tmp_path / "results.json").write_text(text)
    assert IMPORTER.recognise(open_source(tmp_path)) is None


def test_a_number_of_attempts_that_cannot_be_meant_declares_nothing(tmp_path):
    root = made.run(tmp_path / "run-1")
    made.write(root / "run_metadata.json", made.metadata("run-1", n_attempts=10**9))
    run, _ = read_all(IMPORTER, root)
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert "bad_plan" in kinds(run, blocks=True)


def test_a_run_that_only_began_holds_no_row_and_blocks(tmp_path):
    made.write(tmp_path / "run_metadata.json", made.metadata("run-1"))
    run, rows = read_all(IMPORTER, tmp_path)
    assert (rows, kinds(run, blocks=True), run.declared.declared_n) == ({}, ["no_rows"], 4)


def test_a_task_that_the_plan_names_twice_counts_once(tmp_path):
    root = made.run(tmp_path / "run-1")
    made.write(root / "run_metadata.json", made.metadata("run-1", task_ids=["alpha", "beta.hard", "alpha"]))
    run, _ = read_all(IMPORTER, root)
    assert (run.declared.declared_n, kinds(run)) == (4, ["declared_twice"])
