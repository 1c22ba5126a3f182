"""A ledger in Parquet gives the card that its rows give in memory, to the byte; every row comes back as it was."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.pipeline.declaring import Promised, of_plan
from denominator.pipeline.judging_file import judge_rows
from denominator.pipeline.parquet_columns import cells_of, columns, row_of
from denominator.pipeline.parquet_reading import take_parquet
from denominator.pipeline.parquet_writing import write_parquet
from denominator.records.rows import TestIds
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from properties.test_judging_files import TERMS, in_memory, ledgers, rows

pl = pytest.importorskip("polars", reason="polars is not installed: pip install 'denominator[parquet]'")

IDS = st.lists(st.sampled_from(["a", "b", "c", 'd "e"', "\u00e9"]), max_size=3).map(tuple)
TESTS = st.builds(TestIds, expected=IDS, passed=IDS, failed=IDS, other=IDS)


@given(rows())
def test_a_row_comes_back_from_its_cells(row):
    cells = cells_of(row)
    assert cells.keys() <= columns().keys()
    assert row_of({**dict.fromkeys(columns()), **cells}, "row") == row


@settings(max_examples=60, deadline=None)
@given(ledgers(), TERMS, st.data())
def test_the_card_is_the_one_of_the_rows_in_memory(made, terms, data):
    made = replace(made, rows=tuple(replace(one, tests=data.draw(TESTS)) if one.started else one for one in made.rows))
    judged, card = in_memory(made, terms)
    listed = None if isinstance(made.declared, NotMeasured) else of_plan(made.declared)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.parquet"
        assert write_parquet(made, path) == len(made.rows)
        taken = take_parquet(pl, path, terms)
        assert tuple(taken.whole) == made.rows
        found = judge_rows(taken, terms, Promised("r1", made.declared_n, listed))
        assert canonical(found.card) == canonical(card)
    assert [one for one in found.judged.findings if one.severity != "held"] == [
        one for one in judged.findings if one.severity != "held"
    ]
