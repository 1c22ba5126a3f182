"""Where a foreign row stands, for the person who labels it."""

from __future__ import annotations

from denominator.records.rows import Source
from denominator.review.evidence import place_of
from judging_data import foreign


def test_a_line_is_named_only_where_one_is_known() -> None:
    for source, told in (
        (Source(kind="import", file="rows.jsonl", line=3), ("rows.jsonl line 3",)),
        (Source(kind="import", file="logs/a/report.json"), ("logs/a/report.json",)),
        (Source(kind="import"), ()),
    ):
        assert place_of(foreign("t", source=source)) == told
