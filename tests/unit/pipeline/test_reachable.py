"""A threshold that this plan can never reach is refused when it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.envelopes import demo_envelope
from denominator.errors import Exit, IncompleteError
from denominator.gate.house_clause import result_of
from denominator.pipeline.reachable import require_reachable, unreachable_in
from denominator.records.envelopes import Clause, Comparison
from denominator.records.estimates import Estimate
from denominator.records.findings import Waiver
from denominator.records.packs import Task, Verify
from denominator.stats import decimal6, wilson

VERIFY = Verify(runner="unittest", timeout_s=60, level="G2")
ENVELOPE = demo_envelope("oracle", "oracle", version="1")


def tasks(solvable, controls=0):
    kinds = [("solvable", "")] * solvable + [("negative", "must_fail")] * controls
    return tuple(
        Task(
            id=f"t{n}", title="t", slice=kind, expected="pass", reason="r", license="MIT", allowed=(), verify=VERIFY,
            control=control,
        )
        for n, (kind, control) in enumerate(kinds)
    )  # fmt: skip


def problems(clause=None, comparison=None, solvable=10, repeats=1, controls=0):
    envelope = replace(
        ENVELOPE,
        budget=replace(ENVELOPE.budget, repeats=repeats),
        clause=(clause,) if clause else (),
        comparison=comparison or Comparison(),
    )
    return unreachable_in(envelope, tasks(solvable, controls))


def clause(metric="headline", **over):
    return Clause(name="c", metric=metric, why="w", **over)


@pytest.mark.parametrize(
    ("given", "plan", "says"),
    [
        (clause(of="lower", at_least="0.9"), {}, "with 10 tasks it is"),
        (clause(of="lower", at_least="0.7"), {}, ""),
        (clause(of="lower", at_least="0.9"), {"solvable": 40}, ""),
        (clause("unscoreable_rate", of="upper", at_most="0.1"), {}, "even if it never happens"),
        (clause("unscoreable_rate", of="upper", at_most="0.3"), {}, ""),
        (clause("false_pass_rate", of="upper", at_most="0.2"), {"controls": 4}, "5 clean controls leave room"),
        (
            clause("false_pass_rate", of="upper", at_most="0.2"),
            {"controls": 4, "repeats": 5},
            "5 clean controls leave room",
        ),
        (clause("false_pass_rate", of="upper", at_most="0.2"), {"controls": 13}, ""),
        (clause("flip_rate", at_most="0.2"), {}, "one repeat cannot show"),
        (clause("flip_rate", at_most="0.2"), {"repeats": 5}, ""),
        (clause(of="numerator", at_least="11"), {}, "declared draws: 10"),
        (clause(of="numerator", at_least="11"), {"repeats": 2}, ""),
        (clause(at_least="1.01"), {}, "a share is never above 1"),
        (clause(at_least="1"), {}, ""),
        (clause(at_least="0.5"), {"solvable": 7}, "it takes 8 tasks"),
        (clause(of="numerator", at_least="5"), {"solvable": 7}, ""),
        (clause("latency_p95", at_most="-1"), {}, "below 0"),
        (clause(at_least="0.6", at_most="0.5"), {}, "no number is in between"),
        (clause("headlines", at_least="0.5"), {}, "no metric is called 'headlines'"),
    ],
)
def test_clauses(given, plan, says):
    found = problems(given, **plan)
    assert [says in one.what for one in found] == ([True] if says else []), found


PRIMARY = ("A", "B")


@pytest.mark.parametrize(
    ("given", "plan", "where"),
    [
        (Comparison(), {"solvable": 1}, ""),
        (Comparison(primary=PRIMARY), {"solvable": 5}, "comparison.primary"),
        (Comparison(primary=PRIMARY), {"solvable": 6}, ""),
        (Comparison(primary=PRIMARY, alpha="0.001"), {"solvable": 10}, "comparison.alpha"),
        (Comparison(primary=PRIMARY, test="midp"), {"solvable": 5}, ""),
        (Comparison(primary=PRIMARY, family=("A:B", "A:C")), {"solvable": 6}, "comparison.primary"),
        (Comparison(primary=PRIMARY, question="equivalent", margin="0.05"), {"solvable": 10}, "comparison.margin"),
        (Comparison(primary=PRIMARY, question="non_inferior", margin="0.5"), {"solvable": 10}, ""),
    ],
)
def test_comparisons(given, plan, where):
    assert [one.where for one in problems(comparison=given, **plan)] == ([where] if where else [])


@pytest.mark.parametrize(
    ("rule", "plan", "says"),
    [
        ("never: a trial", {}, []),
        ("when the lead agrees", {}, []),
        ("first-complete", {}, []),
        ("frozen-envelope", {"solvable": 199, "controls": 1}, ["200 solvable tasks"]),
        ("frozen-envelope", {"solvable": 200, "controls": 1}, []),
        ("M9: inside its envelope", {"solvable": 200}, ["a negative slice"]),
        ("failure-classes", {"controls": 1}, ["asks for 3 seeds, and the plan has 2"]),
    ],
)
def test_rules_of_citation(rule, plan, says):
    envelope = replace(ENVELOPE, cite=replace(ENVELOPE.cite, rule=rule), run=replace(ENVELOPE.run, seeds=(1, 2, 3)))
    envelope = replace(envelope, budget=replace(envelope.budget, repeats=2))
    found = unreachable_in(envelope, tasks(**{"solvable": 10, **plan}))
    assert [word in one.what for one, word in zip(found, says, strict=True)] == [True] * len(says)


@pytest.mark.parametrize(
    ("over", "says"),
    [
        ({}, ""),
        ({"rule": "violated-control"}, "names no rule that can be waived"),
        ({"rule": "silent-loosening"}, "names no rule that can be waived"),
        ({"until": "2026-13-01"}, "until is no date"),
        ({"until": "2026-00-10"}, "until is no date"),
        ({"until": "later"}, "until is no date"),
    ],
)
def test_a_waiver_that_the_gate_will_refuse_is_refused_before_the_run(over, says):
    waiver = replace(Waiver(rule="torn-tail", why="w", who="x", until="2026-12-31"), **over)
    found = unreachable_in(replace(ENVELOPE, allow=(waiver,)), tasks(10))
    assert [says in one.what for one in found] == ([True] if says else [])


def test_everything_is_listed_at_once_and_it_is_a_usage_error():
    envelope = replace(
        ENVELOPE,
        clause=(clause(of="lower", at_least="0.99"), clause(at_least="2")),
        comparison=Comparison(primary=PRIMARY, alpha="0.000001"),
    )
    with pytest.raises(IncompleteError) as caught:
        require_reachable(envelope, tasks(10), "a.toml")
    assert [one.where for one in caught.value.problems] == [
        "clause[0].at_least",
        "clause[1].at_least",
        "comparison.alpha",
    ]
    assert caught.value.exit == Exit.USAGE


@given(st.integers(8, 60), st.decimals(0, 1, places=3))
def test_a_bound_of_the_interval_is_refused_exactly_where_a_perfect_run_would_miss_it(n, bound):
    asked = clause(of="lower", at_least=str(bound))
    perfect = wilson(n, n)
    found = Estimate(
        metric="headline", estimand="", numerator=n, denominator=n, unit="", value="1.000000",
        lo=decimal6(perfect.lo), hi=decimal6(perfect.hi),
    )  # fmt: skip
    refused = bool(problems(asked, solvable=n))
    kept = result_of(asked, found)[0] == "held"
    assert refused != kept or abs(float(bound) - perfect.lo) < 1e-6
