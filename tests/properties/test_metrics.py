"""Properties of every metric: inside its range, its ends around it, deaf to the order of rows, silent about who passed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.judge import PERFORMANCE, TELLING, judge
from denominator.metrics import METRICS
from denominator.publish import make_card, render_card
from denominator.publish.terminal.rates import GROUPS
from denominator.records.estimates import Estimate
from denominator.records.rows import AttemptRow, CallRow, Failure, Ledger, Usage
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from judging_data import PATCH, key, ledger, own, terms

NAMES = [metric.entry.name for metric in METRICS]
AMOUNTS = {
    "time_to_first_green", "bytes_changed", "tipping_count", "tokens_per_accepted", "total_tokens",
    "tokens_per_solved_median", "tokens_per_solved_all", "latency_median", "latency_p95", "latency_max", "wall_median",
    "wall_median_passes", "queue_wait_median",
}  # fmt: skip
"""Metrics that are no share: they are not negative; every other one lies between 0 and 1."""
QUOTIENTS = [name for name in NAMES if name.endswith(("_rate", "_share")) and name != "flip_rate"]
BROKEN = Failure(seq=1, cause="disk_full", writer="harness", phase="verify")
numbers = st.integers(0, 2000)
spends = st.one_of(st.just(Usage()), st.builds(Usage, prompt=numbers, completion=numbers, calls=st.integers(0, 5),
                                               complete=st.just(True)))  # fmt: skip


@st.composite
def attempts(draw: Any, task: str, repeat: int, most: int, known: bool) -> list[AttemptRow]:
    """One draw with up to `most` attempts, each red but perhaps the last."""
    made = []
    for attempt in range(1, draw(st.integers(1, most)) + 1):
        grade = draw(st.sampled_from(("green", "red", "none")))
        usage = Usage(prompt=draw(numbers), completion=draw(numbers), calls=draw(st.integers(0, 4)), complete=True)
        facts: dict[str, Any] = {
            "usage": usage if known or draw(st.booleans()) else draw(spends),
            "wall_ms": draw(numbers), "queue_wait_ms": draw(numbers), "time_to_first_green_ms": draw(numbers),
            "patch": replace(PATCH, bytes=1 + draw(numbers)), "cold_start": draw(st.booleans()),
            "stratum": draw(st.sampled_from(("", "A", "B"))) if attempt == 1 else "",
            "cause": "plan" if attempt == 1 else "retry", "first_unrecovered": BROKEN if grade == "none" else None,
        }  # fmt: skip
        made.append(own(task, grade, key=key(task, repeat, attempt), **facts))
        if grade == "green":
            break
    return made


@st.composite
def ledgers(draw: Any, known: bool = False) -> tuple[Ledger, dict[str, Any]]:
    repeats, most = draw(st.sampled_from((1, 1, 2, 3))), draw(st.sampled_from((1, 2)))
    rows: list[AttemptRow] = []
    for n in range(draw(st.integers(0, 12))):
        for repeat in range(1, repeats + 1):
            rows += draw(attempts(f"t{n:02}", repeat, most, known))
    calls = [CallRow(key=row.key, seq=1, outcome=draw(st.sampled_from(("ok", "gave_up"))), last_byte_ms=draw(numbers))
             for row in rows]  # fmt: skip
    stated = {"origin": "seal", "repeats": repeats, "attempts": most, "infra_ceiling": "1", "invalid_ceiling": "1"}
    return ledger(rows, calls=tuple(calls), source="own"), stated


def estimates(made: Ledger, stated: dict[str, Any]) -> tuple[Estimate, ...]:
    return judge(made, terms(**stated)).sheet.estimates


@settings(max_examples=60, deadline=None)
@given(ledgers())
def test_every_value_is_in_its_range_and_between_its_ends(found: tuple[Ledger, dict[str, Any]]) -> None:
    for one in estimates(*found):
        known = {name: Fraction(text) for name in ("lo", "value", "hi") if isinstance(text := getattr(one, name), str)}
        assert all(number >= 0 for number in known.values()), one
        if one.metric not in AMOUNTS:
            assert all(number <= 1 for number in known.values()), one
        assert list(known.values()) == sorted(known.values()), one
        for missing in {"lo", "value", "hi"} - known.keys():
            assert getattr(one, missing).not_measured, (one, missing)
        assert bool(known) == bool(one.method), one


@settings(max_examples=40, deadline=None)
@given(ledgers())
def test_a_share_is_its_numerator_over_its_denominator(found: tuple[Ledger, dict[str, Any]]) -> None:
    by_name = {one.metric: one for one in estimates(*found)}
    for name in [*QUOTIENTS, "headline", "acceptance", "accepted_within_k", "retry_tax", "retry_overhead", "dead_spend",
                 "tokens_per_accepted", "tokens_per_solved_all", "pass_at_k", "pass_hat_k", "flip_rate"]:  # fmt: skip
        one = by_name[name]
        if isinstance(one.value, str):
            assert isinstance(one.numerator, int), name
            assert isinstance(one.denominator, int), name
            exact = Fraction(one.numerator, one.denominator)
            assert abs(exact - Fraction(one.value)) <= Fraction(1, 2 * 10**6), name


@settings(max_examples=40, deadline=None)
@given(ledgers(known=True))
def test_the_parts_of_the_spend_add_up(found: tuple[Ledger, dict[str, Any]]) -> None:
    one = {estimate.metric: estimate for estimate in estimates(*found)}
    tax = one["retry_tax"]
    if isinstance(tax.value, str):
        assert one["retry_overhead"].numerator + one["dead_spend"].numerator == tax.numerator
        assert Fraction(str(one["total_tokens"].value)) == tax.denominator
        assert one["accepted_within_k"].numerator >= one["headline"].numerator


@settings(max_examples=30, deadline=None)
@given(ledgers(), st.randoms(use_true_random=False))
def test_the_order_of_rows_moves_no_estimate(found: tuple[Ledger, dict[str, Any]], rng: Random) -> None:
    made, stated = found
    rows, calls = list(made.rows), list(made.calls)
    rng.shuffle(rows)
    rng.shuffle(calls)
    other = replace(made, rows=tuple(rows), calls=tuple(calls))
    assert estimates(made, stated) == estimates(other, stated)


@settings(max_examples=30, deadline=None)
@given(ledgers())
def test_pass_at_k_grows_and_pass_hat_k_falls_from_the_headline(found: tuple[Ledger, dict[str, Any]]) -> None:
    one = {estimate.metric: estimate for estimate in estimates(*found)}
    for name, sign in (("pass_at_k", 1), ("pass_hat_k", -1)):
        curve = [sign * Fraction(number) for _, number in one[name].by]
        assert curve == sorted(curve)
        if curve and isinstance(one["headline"].value, str):
            assert one[name].by[0] == ("1", one["headline"].value)


@pytest.mark.parametrize("repeats", [1, 3])
def test_an_empty_sheet_measures_nothing_and_says_why(repeats: int) -> None:
    for one in estimates(ledger([]), {"repeats": repeats}):
        for number in (one.value, one.lo, one.hi):
            assert isinstance(number, NotMeasured), one
            assert number.not_measured, one
        assert not one.by


def flipped(rows: Iterable[AttemptRow], rng: Random) -> list[AttemptRow]:
    """The same attempts with other verdicts: what they cost and how long they took stays."""
    found = []
    for row in rows:
        grade = row.grade if row.grade == "none" else rng.choice(("green", "red"))
        other = own(row.key.task_id, grade)
        verdict = {name: getattr(other, name) for name in ("grade", "stop_reason", "tests")}
        found.append(replace(row, **verdict))
    return found


@settings(max_examples=60, deadline=None)
@given(ledgers(), st.randoms(use_true_random=False))
def test_with_a_violated_control_no_estimate_tells_who_passed(
    found: tuple[Ledger, dict[str, Any]], rng: Random
) -> None:
    """Turn passes into fails at will, keep tokens, times and attempts: not one byte of what is printed moves."""
    made, stated = found
    control = own("n1", "green", slice="negative", control="must_fail", usage=Usage(calls=1))
    seen = set()
    for _ in range(4):
        other = replace(made, rows=(*flipped(made.rows, rng), control))
        declared = ledger(list(other.rows), source="own", calls=made.calls)
        judged = judge(declared, terms(**stated))
        assert judged.split_hidden
        card = make_card(declared, terms(**stated), judged)
        for one in card.estimates:
            if one.metric in PERFORMANCE:
                assert isinstance(one.numerator, NotMeasured), one
                assert not one.by
            if one.metric in TELLING:
                assert isinstance(one.denominator, NotMeasured), one
        estimates_ = json.loads(canonical(card))["estimates"]
        seen.add(json.dumps(estimates_, sort_keys=True) + render_card(card, 2000, full=True))
    assert len(seen) == 1


@settings(max_examples=60, deadline=None)
@given(ledgers(known=True))
def test_below_eight_tasks_no_quotient_of_performance_is_printed(found: tuple[Ledger, dict[str, Any]]) -> None:
    made, stated = found
    judged = judge(made, terms(**stated))
    if judged.verdict.status == "blocked" or len({row.key.task_id for row in made.rows}) >= 8:
        return
    before = {one.metric: one for one in judged.sheet.estimates}
    for one in judged.estimates:
        if one.metric in PERFORMANCE:
            assert isinstance(one.value, NotMeasured), one
            assert not one.by, one
            if isinstance(before[one.metric].value, NotMeasured):
                assert isinstance(one.lo, NotMeasured), one
                assert isinstance(one.hi, NotMeasured), one


def test_every_metric_stands_in_one_group_of_the_card() -> None:
    assert sorted(name for _, names in GROUPS for name in names) == sorted(NAMES)
