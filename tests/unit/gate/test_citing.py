"""Where a field is missing: the row's file and line, the file alone where it is no line of it, else the attempt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.gate.citing import lacks_of
from denominator.judge import judge
from denominator.records.rows import Source
from denominator.records.values import NotMeasured
from judging_data import foreign, ledger, said, terms


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (Source(kind="import", file="rows.jsonl", line=3), "rows.jsonl:3"),
        (Source(kind="import", file="logs/a/report.json"), "logs/a/report.json"),
        (Source(kind="import"), "t#1.1"),
    ],
)
def test_a_place_has_a_line_only_where_one_is_known(source: Source, place: str) -> None:
    sheet = judge(ledger([foreign("t", source=source)], [said("t", "outcome", "pass")]), terms()).sheet
    assert {one.row for one in lacks_of(sheet) if one.row} == {place}


FIELDS_OF_M15 = {
    "access_class": "api", "server_class": "hosted", "stop_reason": "pass", "cold_start": False, "queue_wait_ms": 3,
}  # fmt: skip


@pytest.mark.parametrize("field", FIELDS_OF_M15)
def test_each_field_of_a_row_that_m15_needs_is_missed_by_its_name(field: str) -> None:
    def missing(row):
        sheet = judge(ledger([row], [said("t", "outcome", "pass")]), terms()).sheet
        return {one.field for one in lacks_of(sheet) if one.row}

    whole = foreign("t", **FIELDS_OF_M15)
    assert field not in missing(whole)
    assert missing(replace(whole, **{field: NotMeasured("nobody said")})) == missing(whole) | {field}
