"""CSV as a reader of tables sees it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from denominator.errors import BlockedError
from denominator.exporters.table import EXPORTER, columns
from denominator.pipeline.exporting import export
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from judging_data import own
from unit.exporters.export_lab import run_of, solvable


def read(data: bytes) -> list[dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True))
    assert all(None not in row and None not in row.values() for row in rows)
    return rows


def test_one_line_an_attempt_in_fixed_columns() -> None:
    rows = read(export(run_of(more=("never",)), EXPORTER))
    assert [row["task_id"] for row in rows] == [*(f"t{n:02d}" for n in range(1, 17)), "n1"]
    assert tuple(rows[0]) == columns()
    assert len(set(columns())) == len(columns())
    first = rows[0]
    assert (first["run_id"], first["repeat"], first["attempt"], first["slice"]) == ("r1", "1", "1", "solvable")
    assert (first["outcome"], first["origin"], first["grade"], first["closed"]) == ("pass", "MODEL", "green", "true")
    assert (first["wall_ms"], first["patch_bytes"], first["tests_passed"], first["usage_calls"]) == (
        "1500",
        "10",
        "1",
        "0",
    )
    assert (rows[2]["outcome"], rows[2]["mix"], rows[2]["rule"]) == ("fail", "SCORER_RED", "red@1")
    assert (rows[-1]["control"], rows[-1]["control_state"]) == ("must_fail", "held")


def test_unknown_is_an_empty_cell_with_its_reason() -> None:
    told = NotMeasured("the provider sent no usage")
    (row, _) = read(export(run_of([own("t", usage=Usage(prompt=told, completion=7))]), EXPORTER))
    assert (row["usage_prompt"], row["usage_completion"], row["seed"]) == ("", "7", "")
    assert json.loads(row["unknown"]) == {"usage_prompt": "the provider sent no usage"}


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", 'a"b', "a,b", "a\nb", "ä\U0001f600", "\ud800"])
def test_texts_are_cells_whatever_they_are(name: str) -> None:
    (row, _) = read(export(run_of([own(name)]), EXPORTER))
    told = {"=": "'=1+1", "+": "'+x", "-": "'-x", "@": "'@x", "\ud800": "\\ud800"}.get(name[0], name)
    assert row["task_id"] == told


def test_nothing_is_written_while_a_control_is_violated() -> None:
    with pytest.raises(BlockedError, match="a control is violated"):
        export(run_of(control="green"), EXPORTER)


def test_the_same_rows_in_any_order_are_the_same_attempts() -> None:
    first, second = solvable(), solvable()[::-1]
    lines = [sorted(export(run_of(rows), EXPORTER).splitlines()) for rows in (first, second)]
    assert lines[0] == lines[1]
