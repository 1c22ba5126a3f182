"""Every metric states what it divides by what; what is undefined has a reason and no number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.judge import judge
from denominator.metrics import METRICS
from denominator.records.rows import Failure, Usage
from denominator.records.values import NotMeasured
from judging_data import by_outcome, foreign, key, ledger, own, said, terms

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "stats_golden.json").read_text(encoding="utf-8"))


def estimates(made, given=None):
    return {one.metric: one for one in judge(made, given or terms()).sheet.estimates}


def test_nothing_over_nothing_is_not_zero():
    for one in estimates(ledger([])).values():
        assert isinstance(one.value, NotMeasured), one.metric
        assert one.value.not_measured


def test_every_metric_states_everything_that_is_needed_to_defend_it():
    rows, labels = by_outcome(**{"pass": 6, "fail": 3, "abstain": 1, "unscoreable": 2})
    found = estimates(ledger(rows, labels))
    assert list(found) == [metric.entry.name for metric in METRICS]
    for metric in METRICS:
        one = found[metric.entry.name]
        assert one.estimand
        assert one.unit
        assert one.secondary == metric.secondary
        assert len(one.rows_digest) == 64
        if isinstance(one.value, str):
            assert one.method
            assert isinstance(one.numerator, int)
            assert isinstance(one.denominator, int)


@pytest.mark.parametrize(
    ("metric", "numerator", "denominator"),
    [
        ("headline", 6, 12),
        ("scoreable_rate", 6, 10),
        ("resolved_rate", 6, 10),
        ("unscoreable_rate", 2, 12),
        ("infra_censor_rate", 2, 12),
        ("harness_error_rate", 0, 12),
        ("abstain_rate", 1, 12),
        ("first_complete_pass_rate", 6, 12),
    ],
)
def test_counts(metric, numerator, denominator):
    rows, labels = by_outcome(**{"pass": 6, "fail": 3, "abstain": 1, "unscoreable": 2})
    one = estimates(ledger(rows, labels))[metric]
    assert (one.numerator, one.denominator) == (numerator, denominator)


@pytest.mark.parametrize("case", GOLDEN["suite_k_repeats"]["cases"], ids=lambda c: f"N{c['N']}K{c['K']}")
def test_repeats_use_the_mean_of_task_means(case):
    rows, labels = [], []
    for n, passes in enumerate(case["passes"]):
        for repeat in range(1, case["K"] + 1):
            place = key(f"t{n}", repeat)
            rows.append(foreign(f"t{n}", repeat, key=place))
            labels.append(said(f"t{n}", "outcome", "pass" if repeat <= passes else "fail", key=place))
    one = estimates(ledger(rows, labels), terms(repeats=case["K"]))["headline"]
    assert float(one.value) == pytest.approx(case["mean"], abs=1e-6)
    assert [float(one.lo), float(one.hi)] == pytest.approx(case["wilson_neff_t"], abs=1e-6)
    assert one.n_tasks == case["N"]


def test_contract_passes_are_withheld_with_the_number_of_unevaluated_ones():
    found = estimates(ledger([own("a"), own("b"), own("c", "red")]), terms(origin="seal"))["contract_pass_rate"]
    assert isinstance(found.value, NotMeasured)
    assert "2 passing draws" in found.value.not_measured


def test_invalid_calls_are_divided_by_calls_made():
    rows = [own("a", usage=Usage(calls=10), invalid_calls={"http_503": 3}), own("b", usage=Usage(calls=4))]
    one = estimates(ledger(rows), terms(origin="seal"))["invalid_call_rate"]
    assert (one.numerator, one.denominator) == (3, 14)


def test_cut_and_unapplied_and_flaky_are_counted_apart():
    broken = Failure(seq=1, cause="apply_error", writer="harness", phase="apply")
    rows = [
        own("a", "none", killed_by="budget_working"),
        own("b", "none", first_unrecovered=broken),
        own("c", "red"),
        own("d"),
    ]
    found = estimates(ledger(rows), terms(origin="seal", flaky_tasks=("c",)))
    for metric in ("truncation_rate", "patch_apply_fail_rate", "flaky_rate", "harness_error_rate"):
        assert (found[metric].numerator, found[metric].denominator) == (1, 4), metric


def controls(*states):
    return [own(f"n{at}", "green" if state == "violated" else "red", slice="negative", control="must_fail",
                first_unrecovered=None) if state != "inconclusive"
            else own(f"n{at}", "none", slice="negative", control="must_fail",
                     first_unrecovered=Failure(seq=1, cause="disk_full", writer="harness", phase="verify"))
            for at, state in enumerate(states)]  # fmt: skip


@pytest.mark.parametrize(
    ("states", "numerator", "denominator", "upper"),
    [
        (["held"], 0, 1, "0.950000"),
        (["held"] * 4, 0, 4, "0.527129"),
        (["held"] * 10, 0, 10, "0.258866"),
        (["violated", *["held"] * 3], 1, 4, "0.751395"),
        (["held"] * 3 + ["inconclusive"], 0, 3, "0.631597"),
    ],
)
def test_false_passes_have_the_exact_upper_limit_of_one_side(states, numerator, denominator, upper):
    one = estimates(ledger(controls(*states)), terms(origin="seal"))["false_pass_rate"]
    assert (one.numerator, one.denominator, one.lo, one.hi) == (numerator, denominator, "0.000000", upper)


def test_no_control_that_could_show_a_false_pass_is_no_zero():
    one = estimates(ledger([own("t1")]), terms(origin="seal"))["false_pass_rate"]
    assert isinstance(one.value, NotMeasured)
