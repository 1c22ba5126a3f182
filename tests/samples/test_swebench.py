"""Output of the SWE-bench harness 5.0.2, and per-instance reports of a real run; their facts were counted independently."""

from __future__ import annotations

from collections import Counter

from denominator.importers.formats.swebench import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import kinds, read_all, sample

PUBLISHED = {
    "total_instances": "14", "submitted_instances": "13", "completed_instances": "9", "resolved_instances": "1",
    "unresolved_instances": "6", "infra_failure_instances": "1", "ambiguous_failure_instances": "2",
    "empty_patch_instances": "2", "error_instances": "4",
}  # fmt: skip


def test_a_run_with_every_kind_of_ending():
    found = import_foreign(IMPORTER, open_source(sample("swebench-harness-5.0.2")), "acme__agent-1.demo1")
    draws = {
        draw.draw.task_id.removeprefix("acme__lib-"): (draw.exit, draw.origin)
        for draw in found.result.judged.sheet.draws
    }
    assert draws == {
        "1": ("pass", "MODEL"), "2": ("fail", "MODEL"), "3": ("fail", "MODEL"), "4": ("abstain", "MODEL"),
        "5": ("abstain", "MODEL"), "6": ("fail", "MODEL"), "7": ("unscoreable", "HARNESS"),
        "8": ("unscoreable", "HARNESS"), "9": ("unscoreable", "HARNESS"), "10": ("unscoreable", "INFRA"),
        "11": ("unscoreable", "HARNESS"), "12": ("fail", "MODEL"), "13": ("fail", "MODEL"), "14": ("never_started", ""),
    }  # fmt: skip
    told = found.run.told
    assert {one.metric: one.value for one in told.published} == PUBLISHED
    overlap = next(one for one in told.defects if one.kind == "overlapping_lists")
    assert overlap.keys == ("acme__lib-8", "acme__lib-9") and not overlap.blocks
    duplicates = next(one for one in told.defects if one.kind == "duplicate_predictions")
    assert duplicates.keys == ("acme__lib-2",) and "line 14" in duplicates.what
    assert kinds(found.run) == []
    assert found.run.declared.declared_n == 14


def test_a_report_over_ids_that_are_not_of_its_dataset():
    run, rows = read_all(IMPORTER, open_source(sample("swebench-harness-5.0.2")), "acme__agent-1.foreign")
    assert kinds(run) == ["foreign_ids"]
    assert (run.declared.declared_n, len(rows)) == (14, 3)


def test_the_same_logs_without_a_report_declare_nothing():
    run, rows = read_all(IMPORTER, open_source(sample("swebench-harness-5.0.2", "logs")))
    assert not run.declared.declared_n and len(rows) == 11


def test_flat_reports_of_a_real_run():
    run, rows = read_all(IMPORTER, open_source(sample("mini-swe-agent-gemini3pro", "logs")))
    assert Counter(one.row.grade for one in rows) == {"red": 7, "green": 4}
    last = next(one.row for one in rows if one.row.key.task_id == "pylint-dev__pylint-7080")
    assert (len(last.tests.failed), len(last.tests.passed)) == (1, 120)
    assert kinds(run) == []


def test_a_few_predictions_and_other_reports_fit_no_plan():
    found = import_foreign(IMPORTER, open_source(sample("mini-swe-agent-gemini3pro")))
    kinds_ = {one.kind for one in found.result.judged.defects if one.blocks}
    assert kinds_ == {"foreign_rows", "not_evaluated"}
    assert found.result.judged.verdict.rung == "refused"
