"""Where a field is missing: the row's file and line, the file alone where it is no line of it, else the attempt."""

from __future__ import annotations

import pytest

from denominator.gate.citing import lacks_of
from denominator.judge import judge
from denominator.records.rows import Source
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
