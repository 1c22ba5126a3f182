"""Which models answered: calls say it, and where they name nobody the rows do."""

from __future__ import annotations

from denominator.gate.mixed_models import check
from denominator.judge import make_sheet
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured
from judging_data import ledger, own, terms


def test_calls_that_name_no_model_do_not_silence_rows_that_do():
    rows = [own("a", served_models=("x-1",)), own("b", served_models=("x-2",))]
    call = CallRow(key=rows[0].key, seq=1, outcome="ok", sent=True, status=200, served_model=NotMeasured("no body"))
    (said,) = check(make_sheet(ledger(rows, calls=(call,)), terms(origin="seal")))
    assert "x-1 (1), x-2 (1)" in said.what
