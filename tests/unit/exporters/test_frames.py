"""Our CSV and Parquet in a data frame, with the types that their columns have; the lines are those of docs/formats/exporting.md."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from denominator.errors import BlockedError
from denominator.exporters.frames import csv_types, pandas_types, polars_schema
from denominator.exporters.table import EXPORTER, columns
from denominator.pipeline.export_parquet import EXPORTER as PARQUET
from denominator.pipeline.exporting import export
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from judging_data import own
from unit.exporters.export_lab import run_of

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "exporting.md"
ROWS = [
    own("007", usage=Usage(prompt=7, completion=NotMeasured("no usage")), wall_ms=1500),
    own("1e3", "red", abstained=NotMeasured("nobody saw it")),
]


def test_every_column_has_a_type() -> None:
    assert tuple(csv_types()) == columns() == tuple(polars_schema()) == tuple(pandas_types())
    assert {csv_types()[name] for name in ("task_id", "unknown", "source_sha256")} == {"text"}
    assert {csv_types()[name] for name in ("repeat", "wall_ms", "usage_prompt", "tests_passed", "patch_bytes")} == {
        "int64"
    }
    assert {csv_types()[name] for name in ("started", "oom", "usage_complete")} == {"bool"}


def test_csv_is_read_with_its_types(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(export(run_of(ROWS), EXPORTER))
    frame = pl.read_csv(path, schema=polars_schema())
    assert frame.schema == pl.Schema(polars_schema())
    assert frame["task_id"].to_list() == ["007", "1e3", "n1"]
    assert frame["wall_ms"].to_list() == [1500, None, None]
    assert frame["usage_prompt"].to_list() == [7, None, None]
    assert frame["usage_completion"].to_list() == [None, None, None]
    assert frame["abstained"].to_list() == [False, None, False]
    assert frame["outcome"].to_list()[:2] == ["pass", "fail"]


def test_parquet_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_bytes(export(run_of(ROWS), PARQUET))
    frame = pl.read_parquet(path)
    assert frame["key.task_id"].to_list() == ["007", "1e3", "n1"]
    assert frame["usage.completion.not_measured"].to_list()[0] == "no usage"
    assert frame["abstained"].to_list() == [False, None, False]


def test_no_parquet_is_written_while_a_control_is_violated() -> None:
    with pytest.raises(BlockedError, match="a control is violated"):
        export(run_of(control="green"), PARQUET)


def test_the_lines_of_the_page_do_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_bytes(export(run_of(ROWS), EXPORTER))
    Path("rows.parquet").write_bytes(export(run_of(ROWS), PARQUET))
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    (found,) = [one for one in blocks if "import polars" in one]
    names: dict[str, object] = {}
    exec(found, names)
    rows, facts = names["rows"], names["facts"]
    assert isinstance(rows, pl.DataFrame) and isinstance(facts, pl.DataFrame)
    assert rows["task_id"].to_list() == facts["key.task_id"].to_list() == ["007", "1e3", "n1"]
