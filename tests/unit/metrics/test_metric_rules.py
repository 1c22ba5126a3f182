"""What each metric counts, and when it says that it does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.judge import PERFORMANCE, TELLING, judge
from denominator.records.envelopes import Clause
from denominator.records.facts import SurfaceFacts, ToolFacts
from denominator.records.families import FAMILY_COLUMNS
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured
from judging_data import PATCH, by_outcome, key, ledger, own, terms

SURFACES = SurfaceFacts(source="patch", used=2)
TOOLS = ToolFacts(source="tool_log", calls=4, with_results=4, complete=True)
SPENT = Usage(prompt=90, completion=10, complete=True)


def measured(made, **stated):
    return {one.metric: one for one in judge(made, terms(**stated)).sheet.estimates}


def why(one):
    assert isinstance(one.value, NotMeasured), one
    return one.value.not_measured


def fraction(one):
    return one.numerator, one.denominator


def test_shares_of_buckets_need_rows_that_were_looked_at():
    invented = replace(SURFACES, invented=("api.made_up",))
    rows = [
        own("a", "red", surfaces=invented, tools=TOOLS),
        own("b", "red", surfaces=SURFACES, tools=TOOLS),
        own("c", surfaces=SURFACES, tools=TOOLS),
    ]
    found = measured(ledger(rows), origin="seal")
    assert fraction(found["assumption_share"]) == (1, 3)
    assert found["assumption_share"].value == "0.333333"
    assert fraction(found["loop_share"]) == (0, 3)
    found = measured(ledger([*rows, own("d", "red"), own("e")]), origin="seal")
    assert why(found["assumption_share"]) == "surfaces were not evaluated for 2 draws"
    assert fraction(found["assumption_share"]) == (1, 5)
    assert why(found["loop_share"]) == "tool calls were not evaluated for 1 draw"


def test_what_time_ended_needs_no_look_at_tools():
    found = measured(ledger([own("a", "none", killed_by="budget_wall", stop_reason="timeout")]), origin="seal")
    assert fraction(found["loop_share"]) == (0, 1)
    assert found["loop_share"].value == "0.000000"
    assert found["timeout_share"].value == "1.000000"


@pytest.mark.parametrize(
    ("clause", "count"),
    [
        ({"at_least": "0.75"}, 3),  # 29 + 3 unseen of 40: 30 are needed, so 3 failures leave 29
        ({"at_least": "0.80"}, 1),
        ({"at_least": "0.81"}, 0),
        ({"at_least": "0.50"}, None),
        ({"at_least": "31", "of": "numerator"}, 2),
        ({"at_least": "0.60", "of": "lower"}, 2),
    ],
)
def test_a_tipping_count_is_held_against_a_sealed_clause(clause, count):
    rows, labels = by_outcome(**{"pass": 29, "unscoreable": 3, "fail": 8})
    house = Clause(name="floor", metric="headline", why="house rule", **clause)
    one = measured(ledger(rows, labels), clauses=(house,), invalid_ceiling="1")["tipping_count"]
    assert fraction(one) == (3, 40)
    if count is None:
        assert why(one) == "no number of failures among them breaks the clause"
    else:
        assert one.value == f"{count}.000000"


def test_without_a_clause_there_is_nothing_to_overturn():
    rows, labels = by_outcome(**{"pass": 29, "unscoreable": 3, "fail": 8})
    other = Clause(name="most", metric="retry_rate", why="house rule", at_most="0.1")
    for clauses in ((), (other,)):
        assert "no sealed clause" in why(measured(ledger(rows, labels), clauses=clauses)["tipping_count"])


@pytest.mark.parametrize("scorer", ["person", "model"])
def test_a_person_or_a_model_who_accepts_has_no_price(scorer):
    rows = [own(f"t{n}", usage=SPENT) for n in range(9)]
    found = measured(ledger(rows), origin="seal", scorer=scorer)
    for name in ("acceptance", "tokens_per_accepted", "retry_tax", "tokens_per_solved_all"):
        assert why(found[name]) == f"a {scorer} accepts, no test"
    assert found["total_tokens"].value == "900.000000"


def test_unknown_usage_makes_the_price_a_lower_bound():
    rows = [own(f"t{n}", usage=SPENT if n else Usage()) for n in range(9)]
    found = measured(ledger(rows), origin="seal")
    assert why(found["tokens_per_accepted"]) == "usage of 1 of 9 attempts is unknown"
    assert found["tokens_per_accepted"].lo == "88.888889"
    assert isinstance(found["tokens_per_accepted"].hi, NotMeasured)
    assert (fraction(found["total_tokens"]), found["total_tokens"].lo) == ((8, 9), "800.000000")
    for name in ("retry_tax", "dead_spend", "tokens_per_solved_all"):
        assert "unknown" in why(found[name])


def test_usage_that_is_known_in_part_is_unknown():
    rows = [own("a", usage=replace(SPENT, complete=False)), own("b", usage=SPENT)]
    assert fraction(measured(ledger(rows), origin="seal")["total_tokens"]) == (1, 2)


def test_controls_are_in_no_figure_of_spend():
    rows = [own("a", usage=SPENT), own("n", "red", usage=SPENT, slice="negative", control="must_fail")]
    assert measured(ledger(rows), origin="seal")["total_tokens"].value == "100.000000"


def test_with_repeats_the_task_is_the_unit_of_the_price():
    rows = [own(f"t{n}", "green" if repeat <= n % 4 else "red", key=key(f"t{n}", repeat), usage=SPENT)
            for n in range(8) for repeat in (1, 2, 3)]  # fmt: skip
    one = measured(ledger(rows), origin="seal", repeats=3)["tokens_per_accepted"]
    assert (fraction(one), one.value) == ((2400, 12), "200.000000")
    assert float(one.lo) < 200 < float(one.hi)
    few = [own(f"t{n}", "green" if n < 2 else "red", key=key(f"t{n}", repeat), usage=SPENT)
           for n in range(8) for repeat in (1, 2, 3)]  # fmt: skip
    one = measured(ledger(few), origin="seal", repeats=3)["tokens_per_accepted"]
    assert one.value == "400.000000"
    assert isinstance(one.lo, NotMeasured)


def test_acceptance_within_k_needs_a_declared_k():
    rows, labels = by_outcome(**{"pass": 3, "fail": 1})
    found = measured(ledger(rows, labels), attempts=0)
    assert "not declared" in why(found["accepted_within_k"])
    assert found["acceptance"].value == "0.750000"


def test_a_pass_at_the_third_attempt_is_not_within_two():
    rows = [own("a", "red", key=key("a", 1, at)) for at in (1, 2)] + [own("a", key=key("a", 1, 3)), own("b")]
    found = measured(ledger(rows), origin="seal", attempts=2)
    assert fraction(found["accepted_within_k"]) == (1, 2)
    assert fraction(found["acceptance"]) == (2, 2)
    assert fraction(found["first_try_share"]) == (1, 2)
    assert fraction(found["headline"]) == (1, 2)


def test_families_are_the_unit_where_tasks_share_one():
    rows = [own(f"t{n:02}", "green" if n % 3 else "red") for n in range(12)]
    families = tuple((f"t{n:02}", f"repo-{n // 4}") for n in range(12))
    found = measured(ledger(rows), origin="seal", families=families)
    one = found["headline_by_cluster"]
    assert (one.value, one.n_tasks) == (found["headline"].value, 3)
    assert float(one.hi) - float(one.lo) > float(found["headline"].hi) - float(found["headline"].lo)
    assert "no two tasks" in why(measured(ledger(rows), origin="seal")["headline_by_cluster"])
    lone = tuple((f"t{n:02}", "one") for n in range(12))
    assert "no spread" in why(measured(ledger(rows), origin="seal", families=lone)["headline_by_cluster"])


def test_columns_name_families_where_none_is_sealed_and_strata_do_not():
    rows = [own(f"t{n}", stratum="A" if n < 4 else "B") for n in range(8)]
    assert "no two tasks" in why(measured(ledger(rows), origin="seal")["headline_by_cluster"])
    for column in FAMILY_COLUMNS:
        named = [replace(row, extra={column: f'"r{n // 4}"'}) for n, row in enumerate(rows)]
        assert measured(ledger(named), origin="seal")["headline_by_cluster"].n_tasks == 2
        sealed = (("t0", "x"), ("t1", "x"))
        assert measured(ledger(named), origin="seal", families=sealed)["headline_by_cluster"].n_tasks == 3
    other = [replace(row, extra={"language": '"python"'}) for row in rows]
    assert "no two tasks" in why(measured(ledger(other), origin="seal")["headline_by_cluster"])


def test_invalid_calls_by_class_by_task_and_by_attempt():
    rows = [
        own("a", usage=Usage(calls=3), invalid_calls={"http_429": 1, "http_503": 1}),
        own("b", usage=Usage(calls=2), invalid_calls={"no_answer": 2}),
        own("c", usage=Usage(calls=4), invalid_calls={"http_200": 1, "http_404": 1}),
        own("d", usage=Usage(calls=1)),
    ]
    found = measured(ledger(rows), origin="seal")
    assert dict(found["invalid_call_rate"].by) == {
        "malformed": "1", "no_answer": "2", "other_4xx": "1", "rate_limited": "1", "server_error": "1",
    }  # fmt: skip
    assert fraction(found["invalid_call_rate"]) == (6, 10)
    assert fraction(found["invalid_task_rate"]) == (3, 4)
    assert fraction(found["no_valid_attempt_rate"]) == (1, 4)


def test_an_attempt_without_a_count_of_calls_leaves_all_three_unknown():
    found = measured(ledger([own("a", usage=Usage(calls=3)), own("b", usage=Usage())]), origin="seal")
    for name in ("invalid_call_rate", "invalid_task_rate", "no_valid_attempt_rate"):
        assert why(found[name]) == "calls were not recorded"


def test_no_call_is_no_latency_and_lost_calls_stand_beside_it():
    assert why(measured(ledger([own("a")]), origin="seal")["latency_p95"]) == "no call was made"
    row = own("a", usage=Usage(calls=3), invalid_calls={"no_answer": 1})
    calls = [CallRow(key=row.key, seq=n, outcome=word, status=200, last_byte_ms=ms, sent=True)
             for n, (word, ms) in enumerate((("ok", 10), ("ok", 30), ("gave_up", 99_000)))]  # fmt: skip
    found = measured(ledger([row], calls=tuple(calls)), origin="seal")
    assert (fraction(found["latency_max"]), found["latency_max"].value) == ((2, 3), "30.000000")
    assert found["latency_median"].value == "20.000000"
    assert found["latency_median"].by == (("without_valid_answer", "1"),)
    unread = replace(calls[0], last_byte_ms=NotMeasured("x"))
    found = measured(ledger([row], calls=(unread, calls[1])), origin="seal")
    assert why(found["latency_p95"]) == "not recorded for 1 of 2"


def test_a_recording_and_a_made_fault_have_no_latency_of_the_provider():
    row = own("a", usage=Usage(calls=3))
    calls = [CallRow(key=row.key, seq=n, outcome="ok", status=200, last_byte_ms=ms, sent=True, injected=kind)
             for n, (ms, kind) in enumerate(((10, ""), (30, ""), (99_000, "slow_drip")))]  # fmt: skip
    assert measured(ledger([row], calls=tuple(calls)), origin="seal")["latency_max"].value == "30.000000"
    played = tuple(replace(call, cassette="ab") for call in calls)
    assert why(measured(ledger([row], calls=played), origin="seal")["latency_median"]) == "not recorded"


def test_slices_are_apart():
    rows = [own("a"), own("n", "red", slice="negative", control="must_fail"),
            own("m", "none", slice="negative", control="must_ask", asked=True, abstained=True, stop_reason="no_patch"),
            own("c", "red", slice="canary", control="canary", canary_searched=True)]  # fmt: skip
    found = measured(ledger(rows), origin="seal")
    assert fraction(found["headline"]) == (1, 1)
    assert fraction(found["negative_pass_rate"]) == (0, 2)
    green = own("g", slice="negative", control="noop_must_stay_green")
    assert fraction(measured(ledger([*rows, green]), origin="seal")["negative_pass_rate"]) == (0, 2)
    assert fraction(found["negative_abstain_rate"]) == (1, 2)
    assert fraction(found["canary_hit_rate"]) == (0, 1)
    hit = replace(rows[3], canary_hits=("tok",))
    assert fraction(measured(ledger([*rows[:3], hit]), origin="seal")["canary_hit_rate"]) == (1, 1)
    assert "no canary draw" in why(measured(ledger(rows[:1]), origin="seal")["canary_hit_rate"])


def test_passes_after_a_cap_are_counted_and_named():
    late = own("a", after_cap=True, killed_by="budget_wall")
    found = measured(ledger([late, own("b"), own("c", "red")]), origin="seal", on_timeout="grade")
    assert fraction(found["out_of_spec_pass_share"]) == (1, 3)
    unknown = replace(own("b"), after_cap=NotMeasured("x"))
    found = measured(ledger([unknown]), origin="seal", on_timeout="grade")
    assert why(found["out_of_spec_pass_share"]).startswith("whether a limit came first")


def test_amounts_are_medians_over_tasks_with_their_count():
    rows = [own(f"t{n}", "green" if n else "red", wall_ms=1000 * n, time_to_first_green_ms=500 * n,
                queue_wait_ms=n, patch=replace(PATCH, bytes=10 * n)) for n in range(7)]  # fmt: skip
    found = measured(ledger(rows), origin="seal")
    assert (fraction(found["wall_median"]), found["wall_median"].value) == ((7, 7), "3000.000000")
    assert (fraction(found["wall_median_passes"]), found["wall_median_passes"].value) == ((6, 7), "3500.000000")
    assert found["time_to_first_green"].value == "1750.000000"
    assert (found["time_to_first_green"].lo, found["time_to_first_green"].hi) == ("500.000000", "3000.000000")
    assert found["bytes_changed"].value == "35.000000"
    assert found["queue_wait_median"].value == "3.000000"
    assert "rank" in found["wall_median"].method


def test_repeats_of_a_task_are_not_independent_draws():
    rows = [own(f"t{n}", "none" if n < 2 else "green", key=key(f"t{n}", k), stop_reason="no_patch", abstained=n < 2)
            for n in range(10) for k in range(1, 6)]  # fmt: skip
    found = measured(ledger(rows), origin="seal", repeats=5)["abstain_rate"]
    assert fraction(found) == (10, 50)
    assert float(found.hi) - float(found.lo) > 0.45
    uneven = measured(ledger(rows[:-1]), origin="seal", repeats=5)["abstain_rate"]
    assert uneven.value == "0.204082"
    assert float(uneven.hi) - float(uneven.lo) > 0.45


def test_never_started_draws_are_unseen_too():
    rows, labels = by_outcome(**{"pass": 6, "fail": 2})
    names = [*(row.key.task_id for row in rows), "lost-1", "lost-2"]
    found = measured(ledger(rows, labels, names), never_started_allowed=("lost-1", "lost-2"))
    assert (found["headline_bounds"].lo, found["headline_bounds"].hi) == ("0.600000", "0.800000")
    assert found["acceptance"].value == "0.600000"


def test_what_tells_who_passed_is_performance():
    assert TELLING <= PERFORMANCE
    for name in ("total_tokens", "latency_p95", "invalid_task_rate", "queue_wait_median", "false_pass_rate"):
        assert name not in PERFORMANCE
    for name in ("tokens_per_accepted", "pass_at_k", "flip_rate", "wall_median_passes", "test_fail_share"):
        assert name in PERFORMANCE


def repeated(task, grades, **over):
    return [own(task, grade, key=key(task, at + 1), **over) for at, grade in enumerate(grades)]


def test_repeats_of_a_control_are_no_further_controls():
    control = {"slice": "negative", "control": "must_fail"}
    rows = [row for n in range(4) for row in repeated(f"n{n}", ["red"] * 5, **control)]
    made = ledger([*rows, *repeated("a", ["green"] * 5), *repeated("b", ["green"] * 5)])
    one = measured(made, origin="seal", repeats=5)["false_pass_rate"]
    assert (*fraction(one), one.hi) == (0, 4, "0.527129")
    text = judge(made, terms(origin="seal", repeats=5)).verdict.sentence
    assert "no false pass in 4 controls" in text and "52.7 %" in text
    half = [*repeated("n9", ["red", "none"], **control), *rows]
    assert fraction(measured(ledger(half), origin="seal", repeats=5)["false_pass_rate"]) == (0, 4)
    broken = [*repeated("n9", ["red", "green"], **control), *rows]
    assert fraction(measured(ledger(broken), origin="seal", repeats=5)["false_pass_rate"]) == (1, 5)


@pytest.mark.parametrize(
    ("metric", "over"),
    [
        ("negative_pass_rate", {"slice": "negative", "control": "must_fail"}),
        ("first_try_share", {}),
        ("canary_hit_rate", {"slice": "canary", "control": "canary", "canary_searched": True}),
    ],
)
def test_shares_of_some_draws_have_the_task_as_their_unit_with_repeats(metric, over):
    hits = {"canary_hits": ("tok",)} if metric == "canary_hit_rate" else {}
    rows = [row for n in range(3) for row in repeated(f"g{n}", ["green"] * 5, **over, **hits)]
    rows += [row for n in range(3) for row in repeated(f"r{n}", ["red"] * 5, **over)]
    if metric == "first_try_share":
        late = [own(f"r{n}", "green", key=key(f"r{n}", k, 2)) for n in range(3) for k in range(1, 6)]
        rows += late
    one = measured(ledger(rows), origin="seal", repeats=5, attempts=2)[metric]
    assert fraction(one) == (15, 30)
    assert float(one.lo) < 0.25 and float(one.hi) > 0.75, "six tasks, not thirty draws"


def test_where_no_call_was_made_no_task_is_said_to_have_had_a_valid_one():
    one = measured(ledger([own("a")]), origin="seal")["no_valid_attempt_rate"]
    assert isinstance(one.numerator, NotMeasured) and one.denominator == 1
