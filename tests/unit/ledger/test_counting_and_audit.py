"""Which attempt counts, what the audit sees, and that nothing falls between the two."""

from __future__ import annotations

from dataclasses import replace

from denominator.judge import judge
from denominator.ledger.audit import audit
from denominator.records.keys import DrawKey
from denominator.records.rows import Declared, Failure
from judging_data import by_outcome, foreign, key, ledger, own, said, terms


def exits(made, given=None):
    return {draw.draw.task_id: draw.exit for draw in judge(made, given or terms()).sheet.draws}


def test_the_first_completed_attempt_counts():
    died = Failure(seq=3, cause="provider_error", writer="provider", phase="agent")
    rows = [
        own("t1", "none", first_unrecovered=died),
        own("t1", key=key("t1", attempt=2), cause="retry"),
        own("t2", "red"),
        own("t2", key=key("t2", attempt=2), cause="retry"),
        own("t3"),
    ]
    given = terms(origin="seal", retry_declared=True, attempts=2)
    judged = judge(ledger(rows, source="own"), given)
    assert {d.draw.task_id: d.exit for d in judged.sheet.draws} == {"t1": "pass", "t2": "fail", "t3": "pass"}
    first = judged.sheet.estimate("first_complete_pass_rate")
    retries = judged.sheet.estimate("retry_rate")
    assert (first.numerator, first.denominator) == (2, 3)
    assert (retries.numerator, retries.denominator) == (2, 3)


def test_a_red_verdict_is_never_retried_for_the_headline():
    rows = [own("t1", "red"), own("t1", key=key("t1", attempt=2), cause="rerun")]
    assert exits(ledger(rows), terms(origin="seal", retry_declared=True, attempts=2)) == {"t1": "fail"}


def test_repeats_of_one_error_are_one_exit():
    rows = [foreign("t1"), foreign("t1", 2, key=key("t1", attempt=2))]
    labels = [
        said("t1", axis, value, key=row.key)
        for row in rows
        for axis, value in (("outcome", "unscoreable"), ("reason", "evicted"))
    ]
    assert exits(ledger(rows, labels)) == {"t1": "unscoreable"}


def test_rows_of_undeclared_draws_are_in_no_count():
    rows, labels = by_outcome(**{"pass": 3})
    judged = judge(ledger(rows, labels, declared=["t01"]), terms())
    assert [draw.draw.task_id for draw in judged.sheet.draws] == ["t01"]
    assert {defect.kind for defect in judged.defects} == {"foreign_rows"}


def test_draws_declared_by_number_only_stay_in_the_denominator():
    rows, labels = by_outcome(**{"pass": 18, "fail": 11})
    headline = judge(ledger(rows, labels, declared=30), terms()).sheet.estimate("headline")
    assert (headline.numerator, headline.denominator, headline.value) == (18, 30, "0.600000")
    assert (headline.lo[:5], headline.hi[:5]) == ("0.423", "0.754")


def test_controls_are_outside_the_headline():
    rows = [own("n1", "red", slice="negative", control="must_fail"), own("t1"), own("t2", "red")]
    headline = judge(ledger(rows), terms(origin="seal")).sheet.estimate("headline")
    assert (headline.numerator, headline.denominator) == (1, 2)


def test_a_declared_size_may_be_that_of_the_solvable_slice():
    solvable = [Declared(draw=DrawKey("t1")), Declared(draw=DrawKey("n1"), slice="negative", control="must_fail")]
    rows = [own("t1"), own("n1", "red", slice="negative", control="must_fail")]
    made = replace(ledger(rows, declared=solvable), declared_n=1)
    kinds = [defect.what for defect in audit(made, terms(origin="seal"))]
    assert kinds == []


def test_the_audit_keeps_what_reading_found_and_does_not_repeat_itself():
    rows = [foreign("t1", 1), foreign("t1", 1)]
    made = ledger(rows)
    once = audit(made, terms())
    again = audit(replace(made, defects=once), terms())
    assert once == again
    assert [defect.kind for defect in once] == ["duplicate_rows"]
