"""sb-cli: states of the hosted evaluation, copies of one run, percents as printed, broken reports."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from denominator.importers.formats.sb_cli import IMPORTER
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source
from importer_examples.sb_cli import NAME, report

BY_WORD = {one.word: one for one in IMPORTER.endings}
SCREEN = "Resolved (total): 16.67% (1 / 6)\nResolved (submitted): 20.0% (1 / 5)\n"


def test_every_state_is_what_the_rules_say(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, {f"{NAME}.json": report()}))
    assert {task[-1]: ended(one)[:2] for task, one in by_task(rows).items()} == {
        "1": ("pass", "MODEL"), "2": ("fail", "MODEL"), "3": ("unscoreable", "HARNESS"), "4": ("abstain", "MODEL"),
        "5": ("unscoreable", "HARNESS"),
    }  # fmt: skip
    assert all(
        ended(one) == promised(BY_WORD[one.ending])
        for one in rows
        if one.row.key.task_id != "p__q-1" and not one.labels
    )
    assert run.declared.declared_n == 6
    assert run.document["dataset"] == {"name": "swe-bench_lite", "split": "dev"}
    assert kinds(run) == []


def test_pending_ids_are_no_result_yet(tmp_path: Path):
    waiting = report(pending_ids=["p__q-5"], failed_ids=[], pending_instances=1)
    run, rows = read_all(IMPORTER, source(tmp_path, {f"{NAME}.json": waiting}))
    assert ended(by_task(rows)["p__q-5"]) == ("unscoreable", "HARNESS", "missing_artifact")
    assert kinds(run) == ["unfinished_run"]


def test_a_report_is_known_by_what_only_the_service_writes(tmp_path: Path):
    assert IMPORTER.recognise(source(tmp_path, {"results.json": report()})).parts[0].name == "results"


def test_a_copy_that_holds_the_same_counts_once(tmp_path: Path):
    files = source(tmp_path, {f"{NAME}.json": report(), f"{NAME}-1.json": report()})
    run, _ = read_all(IMPORTER, files)
    assert kinds(run, blocks=False).count("same_run_again") == 1
    assert run.name == NAME


def test_a_copy_that_differs_is_a_part_of_its_own(tmp_path: Path):
    files = source(
        tmp_path, {f"{NAME}.json": report(pending_ids=["p__q-5"], failed_ids=[]), f"{NAME}-1.json": report()}
    )
    assert [one.name for one in IMPORTER.recognise(files).parts] == [NAME, f"{NAME}-1"]
    run, _ = read_all(IMPORTER, files, f"{NAME}-1")
    assert "differs" in next(one.what for one in run.told.defects if one.kind == "same_run_again")


def test_the_answer_of_the_service_alone_is_read(tmp_path: Path):
    run, rows = read_all(IMPORTER, source(tmp_path, {f"{NAME}.response.json": {"report": report()}}))
    assert len(rows) == 5 and kinds(run) == []
    assert "#/report/resolved_ids/0" in by_task(rows)["p__q-1"].row.source.file


def test_both_percents_are_published_as_they_are_printed(tmp_path: Path):
    answer = {"report": report(), "resolved_percent": 16.67}
    run, _ = read_all(
        IMPORTER, source(tmp_path, {f"{NAME}.json": report(), "screen.txt": SCREEN, f"{NAME}.response.json": answer})
    )
    percents = {(one.metric, one.value, one.of) for one in run.told.published if one.unit == "percent"}
    assert percents == {
        ("Resolved (total)", "16.67", "total_instances"), ("Resolved (submitted)", "20.0", "submitted_instances"), ("resolved_percent", "16.67", ""),
    }  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(broken(json.dumps(report()).encode()))
def test_a_broken_report_is_refused_or_read(tmp_path_factory, data):
    assert read_or_refused(IMPORTER, source(tmp_path_factory.mktemp("sb"), {f"{NAME}.json": data})) < 10
