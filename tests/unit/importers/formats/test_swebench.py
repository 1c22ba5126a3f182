"""The SWE-bench harness: every ending through the rules, one state for each id, plans, conflicts, broken members."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from denominator.errors import InputError
from denominator.importers.crashes import crash_of
from denominator.importers.formats.swebench import IMPORTER
from denominator.importers.swebench import agents, endings
from denominator.importers.swebench.logs import LETTERS
from denominator.labels.causes import cause_rule
from denominator.readers.logs import SIGNATURES
from denominator.records.values import NotMeasured
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source, written
from importer_examples import swebench as made
from importer_examples.swebench import FIX, FOLDER, MODEL, OLD, PATCH, REPORT, ROOT, RUN, run_report, wrapped

BY_WORD = {one.word: one for one in IMPORTER.endings}


def instance(tmp_path: Path, members: dict, task: str = "p__q-1", **more):
    """(run, the only row) of one folder, with whatever lies beside it."""
    files = source(tmp_path, {f"{ROOT}/{task}/{name}": content for name, content in members.items()} | more)
    run, rows = read_all(IMPORTER, files)
    return run, by_task(rows)[task]


def alone(tmp_path: Path, report: dict, **more):
    """(run, rows by task) of a run report."""
    run, rows = read_all(IMPORTER, source(tmp_path, {REPORT: report} | more))
    return run, by_task(rows)


def test_every_ending_of_a_folder_is_what_the_rules_say(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(made.run(tmp_path / "run"), {}))
    for one in rows:
        assert ended(one) == promised(BY_WORD[one.ending]), one.ending
    assert {one.ending for one in rows} >= {
        one.word for one in (*endings.OF_REASONS, endings.NO_OUTPUT, endings.BAD_PATCH)
    }
    assert kinds(run) == []


def test_texts_of_logs_come_to_what_the_causes_say():
    causes = {
        cause
        for one in SIGNATURES if not set(one.where).isdisjoint(LETTERS)
        for cause in (one.cause, one.setup_cause, *one.after.values()) if cause and not one.vague
    }  # fmt: skip
    assert causes == set(endings.TEXTS)
    for cause, ending in endings.TEXTS.items():
        rule = cause_rule(cause)
        assert (ending.origin, ending.reason) == (rule.origin, rule.reason)


def test_a_report_alone_gives_one_state_for_each_id(tmp_path: Path):
    report = run_report(
        resolved_ids=["p__q-1"], unresolved_ids=["p__q-2"], error_ids=["p__q-3", "p__q-4"], empty_patch_ids=["p__q-5"],
        incomplete_ids=["p__q-6"],
    )  # fmt: skip
    report["completed_ids"] += ["p__q-3"]
    report["completed_instances"] = 3
    run, rows = alone(tmp_path, report)
    assert {task[-1]: ended(one)[0] for task, one in rows.items()} == {
        "1": "pass", "2": "fail", "3": "unscoreable", "4": "unscoreable", "5": "abstain",
    }  # fmt: skip
    assert run.declared.declared_n == 6
    assert "p__q-6" in run.declared.tasks[0].tasks
    assert kinds(run, blocks=False) == ["overlapping_lists"]
    assert json.loads(rows["p__q-3"].row.extra["lists"]) == ["error", "completed", "submitted"]
    assert {one.metric: one.value for one in run.told.published}["completed_instances"] == "3"
    assert {one.metric: one.role for one in run.told.published}["resolved_instances"] == "passed"


def test_a_list_alone_never_makes_a_pass_of_an_overlap(tmp_path: Path):
    run, rows = alone(tmp_path, run_report(resolved_ids=["p__q-1"], unresolved_ids=["p__q-1"]))
    assert ended(rows["p__q-1"])[0] == "fail"
    assert "overlapping_lists" in kinds(run)


def test_the_older_report_calls_the_list_resolved(tmp_path: Path):
    report = run_report(resolved_ids=["p__q-1"], unresolved_ids=["p__q-2"])
    report["resolved"] = report.pop("resolved_ids")
    del report["schema_version"]
    _, rows = alone(tmp_path, report)
    assert ended(rows["p__q-1"])[0] == "pass"
    assert rows["p__q-1"].row.source.file.endswith("#/resolved/0")


def test_marks_of_failures_stay_in_the_denominator(tmp_path: Path):
    report = run_report(resolved_ids=["p__q-1"], unresolved_ids=["p__q-2"], error_ids=["p__q-3", "p__q-4"])
    report |= {"infra_failure_ids": ["p__q-2"], "ambiguous_failure_ids": ["p__q-3"]}
    report["failure_reasons"] = {"p__q-2": "out_of_memory", "p__q-3": "tests_timed_out"}
    run, rows = alone(tmp_path, report)
    assert ended(rows["p__q-2"]) == ("unscoreable", "INFRA", "oom_sandbox")
    assert ended(rows["p__q-3"]) == ("unscoreable", "HARNESS", "harness_timeout")
    assert ended(rows["p__q-4"]) == ("unscoreable", "HARNESS", "no_verdict")
    assert run.declared.declared_n == 4
    assert kinds(run) == []


@pytest.mark.parametrize("mark", ["infra_failure_ids", "ambiguous_failure_ids"])
def test_a_reason_that_no_table_names_blocks(tmp_path: Path, mark: str):
    report = run_report(error_ids=["p__q-3"]) | {mark: ["p__q-3"], "failure_reasons": {"p__q-3": "moon_phase"}}
    run, rows = alone(tmp_path, report)
    assert rows["p__q-3"].ending == ""
    assert kinds(run) == ["unknown_ending"]


def test_a_mark_on_a_resolved_id_blocks(tmp_path: Path):
    run, _ = alone(tmp_path, run_report(resolved_ids=["p__q-1"]) | {"infra_failure_ids": ["p__q-1"]})
    assert "contradiction" in kinds(run)


def test_ids_that_are_not_of_the_dataset_block_and_stay_in_the_plan(tmp_path: Path):
    report = run_report(error_ids=["p__q-1"]) | {"submitted_ids": ["p__q-1", "other__r-2"]}
    run, rows = alone(tmp_path, report)
    assert list(rows) == ["p__q-1"]
    assert run.declared.declared_n == 2
    assert kinds(run) == ["foreign_ids"]


def test_more_instances_than_ids_are_declared_by_number(tmp_path: Path):
    run, _ = alone(tmp_path, run_report(resolved_ids=["p__q-1"]) | {"total_instances": 300})
    assert (run.declared.declared_n, run.declared.tasks) == (300, ())


def test_fewer_instances_than_ids_block(tmp_path: Path):
    run, _ = alone(tmp_path, run_report(resolved_ids=["p__q-1", "p__q-2"]) | {"total_instances": 1})
    assert kinds(run) == ["dataset_size_mismatch"]


def test_a_completed_id_without_a_verdict_blocks(tmp_path: Path):
    run, rows = alone(tmp_path, run_report(resolved_ids=["p__q-1"], completed_ids=["p__q-1", "p__q-9"]))
    assert rows["p__q-9"].ending == ""
    assert "unknown_ending" in kinds(run)


def test_duplicates_in_a_list_count_once(tmp_path: Path):
    run, rows = alone(tmp_path, run_report(resolved_ids=["p__q-1", "p__q-1"]))
    assert len(rows) == 1
    assert "duplicate_ids" in kinds(run, blocks=False)


def test_a_count_that_its_own_list_denies_is_told(tmp_path: Path):
    run, _ = alone(tmp_path, run_report(resolved_ids=["p__q-1"]) | {"resolved_instances": 2, "completed_instances": 3})
    assert (kinds(run), kinds(run, blocks=False)) == (["count_differs"], ["count_differs"])


def test_a_number_that_counts_nothing_blocks(tmp_path: Path):
    run, _ = alone(tmp_path, run_report(resolved_ids=["p__q-1"]) | {"total_instances": -4})
    assert kinds(run) == ["bad_value"] and run.declared.declared_n == 1


def test_a_run_of_the_reference_patches_is_noted(tmp_path: Path):
    run, _ = read_all(IMPORTER, source(tmp_path, {"gold.check.json": run_report(resolved_ids=["p__q-1"])}))
    assert any("reference patches" in note for note in run.told.notes)


def test_a_table_of_tests_that_is_none_is_a_broken_report(tmp_path: Path):
    for number, table in enumerate(([], "x", {"FAIL_TO_PASS": 3}, {"FAIL_TO_PASS": {"success": [1]}})):
        run, one = instance(tmp_path / str(number), {"report.json": made.report(True) | {"tests_status": table}})
        assert one.ending == endings.BROKEN_REPORT.word and "broken_report" in kinds(run, blocks=False)


def test_a_log_that_denies_the_list_blocks(tmp_path: Path):
    log = f"{made.STAMP}report: {{}}\nResult for p__q-1: resolved: False\n{made.STAMP}Attempting to stop container\n"
    run, one = instance(tmp_path, {"run_instance.log": log}, **{REPORT: run_report(resolved_ids=["p__q-1"])})
    assert kinds(run) == ["contradiction"] and ended(one)[0] == "pass"


def test_a_log_alone_says_how_it_was_graded(tmp_path: Path):
    log = f"{made.STAMP}report: {{}}\nResult for p__q-1: resolved: True\n"
    _, one = instance(tmp_path, {"run_instance.log": log})
    assert one.ending == endings.SAID_RESOLVED.word


def test_a_regression_is_told_from_a_defect_that_stayed(tmp_path: Path):
    _, one = instance(tmp_path, {"report.json": wrapped("p__q-1", made.report(False, failed=[OLD]))})
    assert one.ending == endings.REGRESSION.word
    assert (one.row.tests.passed, one.row.tests.failed) == ((FIX,), (OLD,))
    assert one.row.extra["regression"] == "true"


def test_resolved_that_its_own_tests_deny_blocks(tmp_path: Path):
    run, one = instance(tmp_path, {"report.json": made.report(True, failed=[OLD])})
    assert ended(one)[0] == "fail"
    assert promised(endings.DENIED) == ended(one)
    assert kinds(run) == ["contradiction"]


def test_resolved_without_a_test_blocks(tmp_path: Path):
    empty = {name: {"success": [], "failure": []} for name in ("FAIL_TO_PASS", "PASS_TO_PASS")}
    run, _ = instance(tmp_path, {"report.json": made.report(True) | {"tests_status": empty}})
    assert kinds(run) == ["no_tests"]


def test_a_skipped_test_that_must_pass_is_not_passed(tmp_path: Path):
    tests = {
        "FAIL_TO_PASS": {"success": [], "failure": [], "skipped": [FIX]},
        "PASS_TO_PASS": {"success": [OLD], "failure": []},
    }
    run, one = instance(tmp_path, {"report.json": made.report(True) | {"tests_status": tests}})
    assert ended(one)[0] == "fail"
    assert kinds(run) == ["contradiction"]


def test_a_report_that_disagrees_with_the_lists_blocks(tmp_path: Path):
    lists = run_report(unresolved_ids=["p__q-1"])
    run, _ = instance(tmp_path, {"report.json": made.report(True)}, **{REPORT: lists})
    assert kinds(run) == ["contradiction"]


def test_an_unknown_value_of_resolved_blocks(tmp_path: Path):
    run, one = instance(tmp_path, {"report.json": made.report(False) | {"resolved": "maybe"}})
    assert one.ending == ""
    assert kinds(run) == ["unknown_ending"]


def test_a_verdict_outranks_a_sign_and_not_a_failure_of_the_environment(tmp_path: Path):
    report = made.report(False) | {"infra_failure": False, "infra_failure_reason": "missing_module"}
    _, one = instance(tmp_path / "sign", {"report.json": report})
    assert ended(one) == ("fail", "MODEL", "")
    report |= {"infra_failure": True, "infra_failure_reason": "network_unreachable"}
    _, one = instance(tmp_path / "environment", {"report.json": report})
    assert ended(one) == ("unscoreable", "INFRA", "env_flake")


def test_another_patch_than_the_prediction_blocks(tmp_path: Path):
    members = {"report.json": made.report(True), "patch.diff": "diff of yesterday"}
    run, one = instance(tmp_path, members, **{"preds.json": made.predictions(["p__q-1"])})
    assert kinds(run) == ["patch_conflict"]
    assert one.row.patch.bytes == len("diff of yesterday")


def test_the_last_prediction_counts_and_is_named(tmp_path: Path):
    rows = [*made.predictions(["p__q-1"], "first").values(), *made.predictions(["p__q-1"], PATCH).values()]
    run, one = instance(
        tmp_path, {"report.json": made.report(True), "patch.diff": PATCH}, **{"preds.jsonl": made.lines(rows)}
    )
    assert kinds(run) == []
    told = next(one for one in run.told.defects if one.kind == "duplicate_predictions")
    assert "line 2" in told.what and "another patch" in told.what
    assert one.row.patch.bytes == len(PATCH)


def test_of_two_files_of_predictions_the_graded_one_is_taken(tmp_path: Path):
    more = {"a.json": made.predictions(["p__q-1"], "other"), "b.json": made.predictions(["p__q-1"], PATCH)}
    run, _ = instance(tmp_path, {"report.json": made.report(True), "patch.diff": PATCH}, **more)
    assert kinds(run) == []
    assert "b.json is taken" in next(one.what for one in run.told.defects if one.kind == "several_predictions")


@pytest.mark.parametrize("patch", ["", None])
def test_an_empty_patch_stays_one_even_with_tests(tmp_path: Path, patch):
    run, one = instance(
        tmp_path, {"report.json": made.report(False)}, **{"preds.json": made.predictions(["p__q-1"], patch)}
    )
    assert ended(one) == ("abstain", "MODEL", "")
    assert one.row.patch.bytes == 0 and one.row.tests.failed == (FIX,)
    assert kinds(run) == []


def test_an_empty_patch_that_is_resolved_blocks(tmp_path: Path):
    run, one = instance(
        tmp_path, {"report.json": made.report(True)}, **{"preds.json": made.predictions(["p__q-1"], "")}
    )
    assert ended(one)[0] != "pass"
    assert kinds(run) == ["contradiction"]


def test_a_patch_that_is_counted_as_empty_blocks(tmp_path: Path):
    run, rows = alone(tmp_path, run_report(empty_patch_ids=["p__q-1"]), **{"preds.json": made.predictions(["p__q-1"])})
    assert kinds(run) == ["contradiction"] and rows["p__q-1"].row.patch.bytes == 0


def test_predictions_that_nobody_graded_are_rows_and_block(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, {"preds.json": made.predictions(["p__q-1", "p__q-2"])}))
    assert [ended(one) for one in rows] == [("unscoreable", "HARNESS", "missing_artifact")] * 2
    assert kinds(run) == ["not_evaluated"]
    assert not IMPORTER.recognise(source(tmp_path, {})).sure


def test_predictions_as_a_list_are_read(tmp_path: Path):
    _, rows = read_all(IMPORTER, source(tmp_path, {"preds.json": list(made.predictions(["p__q-1"]).values())}))
    assert rows[0].row.source.file == "preds.json#/0"


def test_a_verdict_on_what_nobody_handed_in_is_none(tmp_path: Path):
    report = run_report(resolved_ids=["p__q-1", "p__q-2"]) | {"submitted_ids": ["p__q-1"]}
    run, rows = alone(tmp_path, report)
    assert rows["p__q-2"].ending == ""
    assert "not_handed_in" in kinds(run)


def test_logs_without_a_plan_declare_nothing(tmp_path: Path):
    run, _ = instance(tmp_path, {"report.json": made.report(True)})
    assert isinstance(run.declared.declared_n, NotMeasured)


def test_what_a_patch_prints_ends_nothing(tmp_path: Path):
    printed = "Timeout error: 1800 seconds exceeded.\nno space left on device\n>>>>> Patch Apply Failed\n" + "x" * 5000
    members = {"test_output.txt": printed, "run_instance.log": f"{made.STAMP}>>>>> Applied Patch:\n{printed}\n"}
    _, one = instance(tmp_path, members)
    assert one.ending == endings.ERROR.word


def test_bytes_that_are_no_text_are_no_obstacle(tmp_path: Path):
    members = {
        "test_output.txt": b"\xff\xfe\0PASSED\n\n\nTimeout error: 60 seconds exceeded.",
        "run_instance.log": made.STAMP.encode() + b">>>>> Applied Patch:\n\xff\xff",
    }
    _, one = instance(tmp_path, members)
    assert one.ending == endings.TIMED_OUT.word


def test_one_broken_report_leaves_the_rest(tmp_path: Path):
    rest = {f"{ROOT}/p__q-2/report.json": made.report(True), f"{ROOT}/p__q-3/report.json": b'{"p__q-3": {"resol'}
    files = source(tmp_path, {f"{ROOT}/p__q-1/report.json": made.report(True)} | rest)
    _, rows = read_all(IMPORTER, files)
    assert [ended(one)[0] for one in rows] == ["pass", "pass", "unscoreable"]


def test_time_of_the_tests_is_kept(tmp_path: Path):
    members = {"report.json": made.report(True), "run_instance.log": f"{made.STAMP}Test runtime: 1_009.47 seconds\n"}
    _, one = instance(tmp_path, members)
    assert one.row.grade_ms == 1_009_470


def test_what_the_run_was_made_of_is_recorded(tmp_path: Path):
    run, _ = read_all(IMPORTER, source(made.run(tmp_path / "run"), {}))
    assert run.document["dataset"] == {"name": "lab/bench", "split": "test"}
    assert run.name == f"{FOLDER}.{RUN}"
    assert "model_id" not in run.document and "harness_version" in IMPORTER.cannot_tell


def test_a_folder_of_several_runs_asks_which(tmp_path: Path):
    files = source(
        tmp_path, {"a.one.json": run_report(resolved_ids=["p__q-1"]), "b.two.json": run_report(error_ids=["p__q-1"])}
    )
    assert [one.name for one in IMPORTER.recognise(files).parts] == ["a.one", "b.two"]
    with pytest.raises(InputError, match="2 runs"):
        IMPORTER.read(files)
    assert len(read_all(IMPORTER, files, "b.two")[1]) == 1


def test_a_report_beside_its_logs_goes_with_them(tmp_path: Path):
    members = {}
    for run, resolved in (("one", True), ("two", False)):
        top = f"logs/evaluation/{run}"
        members[f"{top}/{FOLDER}/p__q-1/report.json"] = made.report(resolved)
        lists = {"resolved_ids" if resolved else "unresolved_ids": ["p__q-1"]}
        members[f"{top}/results.json"] = run_report(**lists)
    files = source(tmp_path, members)
    assert [one.name for one in IMPORTER.recognise(files).parts] == [f"{FOLDER}.one", f"{FOLDER}.two"]
    run, rows = read_all(IMPORTER, files, f"{FOLDER}.two")
    assert kinds(run) == [] and ended(rows[0])[0] == "fail" and run.declared.declared_n == 1


def test_predictions_go_to_the_run_of_their_model(tmp_path: Path):
    other = {"z": {"instance_id": "z", "model_name_or_path": "lab/other", "model_patch": "x"}}
    members = {REPORT: run_report(resolved_ids=["p__q-1"]), "other.run.json": run_report(error_ids=["z"])}
    files = source(tmp_path, members | {"preds.json": made.predictions(["p__q-1"]), "zed.json": other})
    run, rows = read_all(IMPORTER, files, REPORT.removesuffix(".json"))
    assert run.told.files.keys() == {REPORT, "preds.json"} and run.arm == FOLDER and len(rows) == 1


def test_submissions_and_hosted_reports_are_of_other_importers(tmp_path: Path):
    report = run_report(resolved_ids=["p__q-1"])
    files = source(
        tmp_path,
        {"sub/metadata.yaml": "name: x", "sub/results/results.json": report, "swe-bench_lite__test__x.json": report},
    )
    assert IMPORTER.recognise(files) is None
    with pytest.raises(InputError):
        IMPORTER.read(files)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    broken(json.dumps(run_report(resolved_ids=["p__q-1"], error_ids=["p__q-2"], incomplete_ids=["p__q-3"])).encode())
)
def test_a_broken_run_report_is_refused_or_read(tmp_path_factory, data):
    folder = written(tmp_path_factory.mktemp("swebench"), {REPORT: data})
    assert read_or_refused(IMPORTER, source(folder, {})) < 10


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    broken(json.dumps(wrapped("p__q-1", made.report(False))).encode()),
    broken(f"{made.STAMP}>>>>> Applied Patch:\n".encode()),
)
def test_broken_members_keep_the_row(tmp_path_factory, report, log):
    members = {f"{ROOT}/p__q-1/report.json": report, f"{ROOT}/p__q-1/run_instance.log": log}
    files = source(
        tmp_path_factory.mktemp("swebench"),
        members | {"preds.jsonl": made.lines([*made.predictions(["p__q-1"]).values()])},
    )
    assert read_or_refused(IMPORTER, files) == 1


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(broken(made.lines([*made.predictions(["p__q-1", "p__q-2"]).values()]).encode()))
def test_broken_predictions_are_refused_or_read(tmp_path_factory, data):
    files = source(tmp_path_factory.mktemp("swebench"), {"preds.jsonl": data})
    assert read_or_refused(IMPORTER, files) < 8
    assert MODEL


def printed(*lines: str, status: int) -> str:
    """A test output that ends as version 5 writes it."""
    return "\n".join((">>>>> Start Test Output", *lines, ">>>>> End Test Output", f">>>>> Test Exit Code: {status}\n"))


@pytest.mark.parametrize(
    ("output", "ending"),
    [
        (printed("PASSED t_fix", status=1), endings.DENIED_BY_EXIT),
        (printed("PASSED t_fix", "FAILED t_other", status=1), endings.RESOLVED),
        (printed("PASSED t_fix", status=0), endings.RESOLVED),
        (printed(">>>>> Test Exit Code: 1", "PASSED t_fix", status=0), endings.RESOLVED),
        ("PASSED t_fix\n", endings.RESOLVED),
    ],
)
def test_printed_passes_are_held_against_the_exit_status(tmp_path: Path, output: str, ending: object):
    members = {"report.json": wrapped("p__q-1", made.report(True)), "test_output.txt": output}
    run, row = instance(tmp_path, members)
    assert row.ending == ending.word
    assert kinds(run) == (["contradiction"] if ending is endings.DENIED_BY_EXIT else [])
    assert ended(row) == promised(ending)


def test_a_fix_needs_a_test_that_passed_and_did_not_before(tmp_path: Path):
    report = made.report(True)
    report["tests_status"]["FAIL_TO_PASS"] = {"success": [], "failure": []}
    run, row = instance(tmp_path, {"report.json": wrapped("p__q-1", report)})
    assert (ended(row), kinds(run)) == (promised(endings.NO_FIXED_TEST), ["no_tests"])


def test_names_of_tests_that_are_cut_or_spaced_oddly_are_told(tmp_path: Path):
    report = made.report(False, failed=["shows a  value "])
    report["tests_status"]["FAIL_TO_PASS"] = {"success": ["t[a", "u[b]"], "failure": ["shows a  value "]}
    run, _ = instance(tmp_path, {"report.json": wrapped("p__q-1", report)})
    assert kinds(run, blocks=False) == ["cut_test_names", "spaced_test_names"]


def test_an_error_of_the_harness_without_a_report_beats_the_list_that_calls_it_unresolved(tmp_path: Path):
    text = made.STAMP.replace("INFO", "ERROR") + "Error in evaluating model for p__q-1: " + made.TEXTS["disk_full"]
    run, row = instance(tmp_path, {"run_instance.log": text}, **{REPORT: run_report(unresolved_ids=["p__q-1"])})
    assert ended(row) == promised(endings.TEXTS["disk_full"])
    assert kinds(run, blocks=False) == ["ungraded_failure"]
    bare = {"report.json": wrapped("p__q-1", made.bare()), "run_instance.log": text}
    assert ended(instance(tmp_path / "b", bare)[1]) == promised(endings.TEXTS["disk_full"])


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        ("Submitted", endings.EMPTY),
        ("submitted", endings.EMPTY),
        ("", endings.EMPTY),
        ("LimitsExceeded", agents.BUDGET),
        ("exit_cost", agents.BUDGET),
        ("submitted (exit_context)", agents.BUDGET),
        ("TimeExceeded", agents.TIME),
        ("RateLimitError", crash_of("RateLimitError")),
        ("exit_api", crash_of("APIError")),
        ("exit_error", crash_of("NobodyListedThisError")),
        ("exit_environment_error", crash_of("SwerexException")),
        ("some words", endings.EMPTY),
    ],
)
def test_whose_an_empty_patch_is_the_agents_own_files_say(tmp_path: Path, status: str, ending: object):
    lists = {REPORT: run_report(empty_patch_ids=["p__q-1"]), "preds.json": made.predictions(["p__q-1"], "")}
    beside = {"exit_statuses_1764500000.0.yaml": {"instances_by_exit_status": {status: ["p__q-1"]}}}
    run, rows = read_all(IMPORTER, source(tmp_path, lists | beside))
    (row,) = rows
    assert (ended(row), row.ending) == (promised(ending), ending.word)
    assert json.loads(row.row.extra["exit_status"]) == status
    assert not [note for note in run.told.notes if "empty patch" in note]
    assert row.row.patch.bytes == 0


def test_an_empty_patch_of_which_nobody_says_more_is_noted(tmp_path: Path):
    run, rows = alone(tmp_path, run_report(empty_patch_ids=["p__q-1", "p__q-2"]))
    assert [ended(one) for one in rows.values()] == [promised(endings.EMPTY)] * 2
    (note,) = run.told.notes
    assert note.startswith("2 empty patches: no file here says")


def test_exit_statuses_of_other_folders_say_nothing(tmp_path: Path):
    beside = {
        f"{name}/exit_statuses_1.0.yaml": {"instances_by_exit_status": {"RateLimitError": ["p__q-1"]}} for name in "ab"
    }
    _, rows = read_all(IMPORTER, source(tmp_path, {REPORT: run_report(empty_patch_ids=["p__q-1"])} | beside))
    assert [one.ending for one in rows] == [endings.EMPTY.word]


def test_ids_that_no_list_names_are_foreign_only_where_the_dataset_has_no_room_for_them(tmp_path: Path):
    lists = run_report(resolved_ids=["p__q-1"], submitted_ids=["p__q-1", "p__q-2"])
    run, rows = alone(tmp_path / "room", lists | {"total_instances": 2})
    assert (kinds(run), sorted(rows), run.declared.declared_n) == (["not_evaluated"], ["p__q-1"], 2)
    run, _ = alone(tmp_path / "none", lists | {"total_instances": 1})
    assert kinds(run) == ["foreign_ids"]
