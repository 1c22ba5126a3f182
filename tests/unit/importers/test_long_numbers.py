"""Numbers of thousands of digits: Python refuses to convert them, and no importer may fall over that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.errors import DenominatorError
from denominator.importers import import_rows
from denominator.importers.formats.swebench_experiments.metadata import metadata_of
from denominator.importers.raw import RawRow
from denominator.importers.shapes.seeds import number_repeats
from denominator.importers.stated import Stated
from denominator.importers.values import CsvText
from denominator.records.foreign import Told

LONG = "9" * 5_001
CASES = Path(__file__).parents[2] / "cases" / "import"


def test_attempts_of_a_submission() -> None:
    found = metadata_of({"tags": {"system": {"attempts": LONG}}}, "metadata.yaml", Told())
    assert "max_attempts" not in found.document
    assert len(found.unknown["max_attempts"]) < 200
    assert metadata_of({"tags": {"system": {"attempts": "2"}}}, "m", Told()).document["max_attempts"] == 2


def test_seeds_in_a_table() -> None:
    rows = [RawRow("a.csv", n, "", {"seed": CsvText(seed)}) for n, seed in enumerate(("7", LONG, "12"), 1)]
    assert [one.value["repeat"] for one in number_repeats(rows, Stated())] == [1, 3, 2]


@pytest.mark.parametrize(
    "column", ["status", "http_status", "seed", "repeat", "attempt", "exit_code", "latency_s", "resolved"]
)
def test_any_column_of_a_table(column: str) -> None:
    values = {"task_id": "t1", "slice": "positive", "outcome": "pass", "latency_s": "1", "status": "200", column: LONG}
    table = ",".join(values) + "\n" + ",".join(values.values()) + "\n"
    try:
        import_rows([("runs.csv", table.encode())])
    except DenominatorError:
        return


@pytest.mark.parametrize("column", ["status", "http_status", "seed", "repeat", "attempt", "exit_code", "latency_s"])
def test_any_field_of_a_line(column: str) -> None:
    line = json.dumps({"task_id": "t1", "slice": "positive", "outcome": "pass", "latency_s": 1, column: 0})
    try:
        import_rows([("runs.jsonl", line.replace(f'"{column}": 0', f'"{column}": {LONG}').encode())])
    except DenominatorError:
        return
