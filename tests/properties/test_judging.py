"""Properties of judging: order does not matter, every draw exits once, and a withheld number is nowhere."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.judge import PERFORMANCE, judge
from denominator.publish import make_card, render_card
from denominator.records.rows import Failure
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from judging_data import EMPTY, PATCH, foreign, ledger, own, run_control, said, terms

CAUSES = ("provider_error", "grader_error", "disk_full", "gremlins", "oom_sandbox")
failures = st.builds(
    Failure,
    seq=st.integers(1, 9),
    cause=st.sampled_from(CAUSES),
    writer=st.sampled_from(("harness", "provider", "verifier")),
    phase=st.sampled_from(("setup", "agent", "verify")),
)
facts = st.fixed_dictionaries(
    {},
    optional={
        "grade": st.sampled_from(("green", "red", "tampered", "none")),
        "killed_by": st.sampled_from(("nobody", "budget_wall", "budget_tokens", "kernel_oom", "harness_stop", "self")),
        "after_cap": st.booleans(),
        "asked": st.booleans(),
        "patch": st.sampled_from((PATCH, EMPTY, replace(PATCH, outside=("x",)))),
        "first_unrecovered": st.none() | failures,
        "grade_stage": st.sampled_from(("not_started", "runner_started", "collected", "finished")),
        "closed": st.booleans(),
        "started": st.booleans(),
        "cold_start": st.booleans(),
        "stratum": st.sampled_from(("", "A")),
        "canary_hits": st.sampled_from(((), (), (), ("tok",))),
    },
)
kinds = st.sampled_from(
    (("solvable", ""),) * 6 + (("negative", "must_fail"), ("negative", "must_ask"), ("floor", "floor"))
)


def second_rows(row):
    """Nothing, the same row again, another row under the same key, or a second attempt."""
    grades = st.sampled_from(("green", "red", "none"))
    conflict = grades.map(lambda grade: (replace(row, grade=grade, closed=True),))
    attempt = grades.map(lambda grade: (replace(row, grade=grade, key=replace(row.key, attempt=2), cause="retry"),))
    return st.one_of(st.just(()), st.just(()), st.just((row,)), conflict, attempt)


@st.composite
def ledgers(draw):
    rows, labels = [], []
    for n in range(draw(st.integers(0, 14))):
        slice_, control = draw(kinds)
        more = draw(facts)
        if draw(st.booleans()):
            row = own(f"t{n}", **({"grade": "red"} | more), slice=slice_, control=control)
        else:
            row = foreign(f"t{n}", n + 1, **more, slice=slice_, control=control)
            labels.append(
                said(f"t{n}", "outcome", draw(st.sampled_from(("pass", "fail", "abstain", "unscoreable", "?"))))
            )
        rows.extend((row, *draw(second_rows(row))))
    made = ledger(rows, labels)
    if draw(st.booleans()):
        labels.append(run_control("empty_patch_must_fail", draw(st.sampled_from(("held", "violated")))))
    given_terms = terms(
        origin=draw(st.sampled_from(("seal", "manifest"))),
        invalid_ceiling=draw(st.sampled_from(("0.10", "0.50", "1"))),
        infra_ceiling="1",
        on_timeout=draw(st.sampled_from(("", "fail", "grade"))),
    )
    return replace(made, labels=tuple(labels)), given_terms


def published(made, given_terms):
    judged = judge(made, given_terms)
    card = make_card(made, given_terms, judged)
    return judged, card, canonical(card).decode("utf-8"), render_card(card, 2000)


@settings(max_examples=30, deadline=None)
@given(ledgers(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_byte(found, shuffle: random.Random):
    made, given_terms = found
    rows, labels = list(made.rows), list(made.labels)
    shuffle.shuffle(rows)
    shuffle.shuffle(labels)
    other = replace(made, rows=tuple(rows), labels=tuple(labels))
    assert published(made, given_terms)[2:] == published(other, given_terms)[2:]


@settings(max_examples=50, deadline=None)
@given(ledgers())
def test_every_declared_draw_exits_exactly_once(found):
    made, given_terms = found
    judged, card, _, _ = published(made, given_terms)
    exits = [draw.exit for draw in judged.sheet.draws]
    assert len(exits) == len(made.declared)
    assert sum(card.equation_all.values()) == len(made.declared)
    assert sum(card.equation.values()) == card.declared
    if not isinstance(card.mix, NotMeasured):
        assert sum(card.mix.values()) == card.declared


@settings(max_examples=80, deadline=None)
@given(ledgers())
def test_a_withheld_number_is_nowhere(found):
    made, given_terms = found
    judged, card, as_json, text = published(made, given_terms)
    blocked = judged.verdict.status == "blocked"
    for before in judged.sheet.estimates:
        after = next(one for one in card.estimates if one.metric == before.metric)
        if before.metric not in PERFORMANCE or isinstance(before.value, NotMeasured):
            continue
        if blocked:
            gone = (after.numerator, after.value, after.lo, after.hi)
            assert all(isinstance(one, NotMeasured) for one in gone)
        if isinstance(after.value, NotMeasured):
            assert after.withheld_by
            for place in (as_json, text):
                _absent(before.value, place, card)
    if judged.split_hidden:
        assert not re.search(r'"pass":\d', as_json)
        assert not re.search(r"\bpass \d", text)


def _absent(value, place, card):
    """The quotient, unless a rate that may be printed, or an end of an interval, happens to have the same value."""
    allowed = {
        found
        for one in card.estimates
        for found in (one.value, one.lo, one.hi)
        if isinstance(found, str)
    }  # fmt: skip
    if value not in allowed:
        assert value not in place
        percent = f"{float(Fraction(value) * 100):.1f} %"
        assert percent not in place


@settings(max_examples=30, deadline=None)
@given(ledgers())
def test_an_unknown_or_blocked_rule_never_publishes(found):
    judged = judge(*found)
    stops = [finding for finding in judged.findings if finding.severity in ("block", "unknown")]
    assert (judged.verdict.status == "blocked") == bool(stops)
    assert judged.verdict.exit == int(bool(stops))
