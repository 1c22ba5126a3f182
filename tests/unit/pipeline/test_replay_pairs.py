"""How long lies between two results of others that are a run and its replay, and which rows a side was given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from denominator.errors import BlockedError, Exit, InputError
from denominator.pipeline.replay_pairs import hours_apart, replay_pair
from denominator.pipeline.results import Result
from denominator.pipeline.sides import rows_result, side_of
from denominator.records.values import NotMeasured
from e2e.comparing import FIELDS

ROWS = [{"task_id": f"t{k}", "passed": k != 3} for k in range(10)]


def result(folder: Path, name: str, rows: Any = ROWS, **over: Any) -> Result:
    home = folder / name
    home.mkdir()
    told = {**FIELDS, "run_id": name, "task_ids": [f"t{k}" for k in range(10)], **over}
    (home / "run.manifest.json").write_text(json.dumps(told))
    (home / "outcomes.json").write_text(json.dumps(rows))
    return rows_result([home])[1]


@pytest.mark.parametrize(
    ("first", "again", "hours"),
    [
        ({}, {"started_at_utc": "2026-10-18T12:12:00Z"}, 3),
        ({}, {"started_at_utc": "2026-10-20T09:12:00Z"}, 48),
        ({"finished_at_utc": "2026-10-18T11:12:00Z"}, {"started_at_utc": "2026-10-18T12:12:00Z"}, 1),
        ({}, {"started_at_utc": "2026-10-18T12:12:00+02:00"}, 1),
        ({}, {"started_at_utc": "2026-10-18T12:12:00"}, 3),
    ],
)
def test_manifests_say_when_where_rows_do_not(
    first: dict[str, Any], again: dict[str, Any], hours: int, tmp_path: Path
) -> None:
    assert hours_apart(result(tmp_path, "A", **first), result(tmp_path, "B", **again)) == hours


@pytest.mark.parametrize(
    "again",
    [
        {"started_at_utc": "tuesday"},
        {"started_at_utc": ""},
        {"started_at_utc": "2026-10-01T00:00:00"},
        {"started_at_utc": "2026-10-18"},
    ],
)
def test_what_is_no_time_measures_nothing(again: dict[str, Any], tmp_path: Path) -> None:
    assert isinstance(hours_apart(result(tmp_path, "A"), result(tmp_path, "B", **again)), NotMeasured)


def test_a_replay_within_a_day_needs_its_reason(tmp_path: Path) -> None:
    first, again = result(tmp_path, "A"), result(tmp_path, "B", started_at_utc="2026-10-18T12:12:00Z")
    with pytest.raises(InputError, match="24 h after the run: 3 h"):
        replay_pair("B", first, again)
    assert replay_pair("B", first, again, early_why="a trial").early_why == "a trial"


def test_what_began_before_the_other_had_ended_needs_its_reason_too(tmp_path: Path) -> None:
    first, again = result(tmp_path, "A"), result(tmp_path, "B", started_at_utc="2026-10-17T12:12:00Z")
    with pytest.raises(InputError, match="began before the first had ended"):
        replay_pair("B", first, again)
    assert replay_pair("B", first, again, early_why="two hosts").early_why == "two hosts"


def test_a_sealed_run_is_no_replay_of_itself(tmp_path: Path) -> None:
    one = result(tmp_path, "A")
    sealed = replace(one, terms=replace(one.terms, origin="seal"))
    with pytest.raises(InputError, match="no replay of itself"):
        replay_pair("A", sealed, sealed, early_why="a trial")


def test_a_violated_control_blocks_and_is_no_mistake_of_the_caller(tmp_path: Path) -> None:
    first, again = result(tmp_path, "A"), result(tmp_path, "B", started_at_utc="2026-10-20T09:12:00Z")
    broken = replace(again, judged=replace(again.judged, split_hidden=True))
    with pytest.raises(BlockedError, match="a control of B is violated") as said:
        replay_pair("B", first, broken)
    assert said.value.exit == Exit.BLOCKED


def test_rows_that_were_all_refused_are_rows_that_were_given(tmp_path: Path) -> None:
    other = [{**row, "run_id": "elsewhere"} for row in ROWS]
    side = side_of("A", result(tmp_path, "A", rows=other))
    assert side.rows and side.verdict.status == "blocked" and not side.sheet.ledger.rows
