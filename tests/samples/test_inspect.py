"""Logs that Inspect 0.3.285 wrote of one small task, each ended in its own way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from denominator.importers.formats.inspect import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import kinds, sample

TOP = "inspect-0.3.285"
NEVER = "never_started"
ENDED = {
    "mixed_success": {"pass": 11, "fail": 3, "unscoreable": 4},
    "mixed_success_json": {"pass": 11, "fail": 3, "unscoreable": 4},
    "fail_on_error": {"pass": 3, "fail": 2, "unscoreable": 5, NEVER: 8},
    "score_on_error": {"pass": 8, "fail": 3, "unscoreable": 7},
    "sigint": {"pass": 3, "fail": 3, "unscoreable": 3},
    "sigkill": {"pass": 3, "fail": 3, NEVER: 3},
    "time_limit": {"pass": 3, "fail": 3},
}
"""How the planned draws of each log ended: ids times 3 epochs."""
PUBLISHED = {
    "mixed_success": ("0.8", "5 ids after reduction, 1 unscored ids left out"),
    "sigkill": None,
    "fail_on_error": None,
}


def log_of(name: str) -> Path:
    (found,) = sample(TOP, name).iterdir()
    return found


@pytest.mark.parametrize("name", ENDED)
def test_every_planned_draw_has_an_end(name: str):
    found = import_foreign(IMPORTER, open_source(log_of(name)))
    assert Counter(draw.exit for draw in found.result.judged.sheet.draws) == ENDED[name]
    assert kinds(found.run) == []
    if name in PUBLISHED:
        rates = {(one.value, one.of) for one in found.run.told.published if one.metric.endswith(" accuracy")}
        assert rates == ({PUBLISHED[name]} if PUBLISHED[name] else set())


def test_whose_the_endings_are():
    reasons = {
        "mixed_success": {"grader_error": 3, "no_verdict": 1},
        "score_on_error": {"env_flake": 3, "grader_error": 3, "no_verdict": 1},
        "sigint": {"harness_killed": 3},
    }
    for name, expected in reasons.items():
        sheet = import_foreign(IMPORTER, open_source(log_of(name))).result.judged.sheet
        assert Counter(draw.reason for draw in sheet.draws if draw.exit == "unscoreable") == expected


def test_retries_are_attempts_and_limits_are_told():
    run = IMPORTER.read(open_source(log_of("mixed_success")))
    rows = [one.row for one in run.rows]
    assert Counter(row.key.attempt for row in rows) == {1: 18, 2: 4}
    assert Counter(row.stop_reason for row in rows if row.stop_reason) == {"budget": 3}
    timed = IMPORTER.read(open_source(log_of("time_limit")))
    assert Counter(one.row.killed_by for one in timed.rows if one.row.killed_by) == {"budget_wall": 3}


def test_the_document_and_the_zip_file_of_one_task_agree():
    seen = []
    for name in ("mixed_success", "mixed_success_json"):
        run = IMPORTER.read(open_source(log_of(name)))
        rows = {one.row.key.draw: (one.ending, one.row.extra.get("content_sha256")) for one in run.rows}
        seen.append((rows, {**run.document, "run_id": "", "started_at_utc": ""}))
    assert seen[0] == seen[1]


def test_a_folder_of_logs():
    found = IMPORTER.recognise(open_source(sample(TOP)))
    assert found is not None
    assert [part.name.partition("/")[0] for part in found.parts] == sorted(ENDED)


@pytest.mark.parametrize(
    ("name", "values"), [("mixed_success", {"0.8"}), ("score_on_error", {"0.5333333333333333", "0.6"})]
)
def test_printed_accuracies_are_means_over_ids(cli, name, values):
    lines = [one for one in cli("audit", log_of(name), "--json").json["run"]["published"] if one["role"] == "rate"]
    assert {one["printed"] for one in lines} == values
    assert {(one["says"], one["out_of"], one["unit_of"]) for one in lines} == {("given", 5, "tasks")}
    assert "19 more numbers are printed and not held against the rows" in cli("audit", log_of(name)).out
