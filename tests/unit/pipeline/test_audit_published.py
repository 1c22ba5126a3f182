"""Printed numbers held against rows: given, cut, impossible, another count, as many or not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.audit_counts import ALL, ANY, HIDDEN, MEAN, NO_ROWS, ByTask, Counted, Summed, sums_of_tasks
from denominator.pipeline.audit_published import published_lines
from denominator.pipeline.audit_rates import percent_of
from denominator.records.audits import AuditedCount, Says
from denominator.records.foreign import Published
from denominator.records.values import NotMeasured
from denominator.stats import pass_at_k

UNKNOWN = NotMeasured("no plan")


def rows(passes, scheduled, recorded, scored, errors=0):
    names = ("scheduled", "with a record", "scored", "without an error", "with a patch")
    counts = (scheduled, recorded, scored, scored, NotMeasured("not said"))
    return Counted(passes, tuple(AuditedCount(name=name, n=n) for name, n in zip(names, counts, strict=True)), errors)


def rate(value, unit="percent", metric="resolved", of="", unit_of="draws"):
    return Published(metric=metric, value=value, unit=unit, role="rate", of=of, unit_of=unit_of)


def stated(value, out_of):
    return Published(metric="resolved", value=value, unit="percent", role="rate", out_of=out_of, unit_of="draws")


def count(value, role, metric="n"):
    return Published(metric=metric, value=value, unit="count", role=role)


NO_ROWS_AT_ALL = rows(NO_ROWS, 225, 0, 0, NO_ROWS)


@pytest.mark.parametrize(
    ("printed", "passes", "says", "over"),
    [
        ("40.0", 4, Says.GIVEN, {10: "scheduled"}),
        ("44.4", 4, Says.GIVEN, {9: "with a record"}),
        ("50", 4, Says.GIVEN, {8: "scored, without an error"}),
        ("44", 4, Says.GIVEN, {9: "with a record"}),
        ("44.4", 5, Says.OTHER_COUNT, {}),
        ("41.7", 4, Says.IMPOSSIBLE, {}),
        ("100.1", 4, Says.UNCHECKED, {}),
        ("many", 4, Says.UNCHECKED, {}),
    ],
)
def test_a_percentage_is_given_by_the_passes_over_a_known_denominator(printed, passes, says, over):
    (line,) = published_lines([rate(printed)], rows(passes, 10, 9, 8))
    assert line.says is says, line
    assert {one.n: one.name for one in line.given_by} == over
    assert line.printed == printed


def test_what_would_give_it_is_told():
    (line,) = published_lines([rate("44.4")], rows(5, 10, 9, 8))
    assert line.what == (
        "the counts that are known do not give it: 4 of 9 would; the passes of its rows give it over no number of draws at all"
    )
    (line,) = published_lines([rate("36")], rows(4, 10, 9, 8))
    assert line.other_n == (11, 11)
    assert line.what.endswith("the passes of its rows would give it over 11")


def test_shares_and_binary_fractions_are_percentages():
    assert percent_of(rate("0.645", "share")) == "64.5"
    assert percent_of(rate("0.3333333333333333", "share")) == "33.33333333"
    assert percent_of(rate("64.93333333333334")) == "64.93333333"
    assert percent_of(rate("12 %")) == "12"
    assert percent_of(rate("NaN")) is None
    assert percent_of(rate("-1")) is None
    assert percent_of(rate("5", "usd")) is None


def test_without_rows_a_percentage_is_held_against_the_printed_counts():
    told = [
        count("225", "scheduled", "total"),
        count("224", "completed", "cases"),
        count("139", "passed", "pass_num_2"),
    ]
    lines = published_lines(
        [*told, rate("61.7", metric="pass_rate_2"), rate("60.7", metric="pass_rate_2")], NO_ROWS_AT_ALL
    )
    assert [one.says for one in lines] == [Says.AGREES, Says.UNCHECKED, Says.UNCHECKED, Says.CUT, Says.OTHER_COUNT]
    assert "cut off" in lines[3].what
    assert lines[4].by == ("said: pass_num_2",)


def test_a_denominator_that_is_named_and_does_not_give_its_number_is_told():
    told = [
        count("225", "scheduled", "total"),
        count("224", "completed", "cases"),
        count("136", "passed", "pass_num_2"),
    ]
    line = published_lines([*told, rate("60.4", metric="pass_rate_2", of="cases")], NO_ROWS_AT_ALL)[-1]
    assert line.says is Says.GIVEN
    assert [one.n for one in line.given_by] == [225]
    assert line.what.endswith("not over the 224 that it says it is of")


def test_a_count_is_paired_with_the_percentage_of_its_name():
    told = [count("10", "scheduled"), count("4", "passed", "pass_num_1"), count("6", "passed", "pass_num_2")]
    line = published_lines([*told, rate("40", metric="pass_rate_2")], rows(NO_ROWS, 10, 0, 0))[-1]
    assert line.says is Says.OTHER_COUNT


def test_without_any_count_of_passes_a_percentage_is_possible_or_impossible():
    told = [count("132", "completed"), rate("71.4", of="n"), rate("71.2", of="n"), rate("71.4")]
    lines = published_lines(told, rows(NO_ROWS, UNKNOWN, 0, 0))
    assert [one.says for one in lines[1:]] == [Says.IMPOSSIBLE, Says.POSSIBLE, Says.UNEXPLAINED]
    assert "nobody says out of how many it is" in lines[3].what


def test_nothing_is_impossible_while_a_denominator_may_be_left_out():
    (line,) = published_lines([rate("64.93")], rows(324, 500, 500, 500))
    assert line.says is Says.UNEXPLAINED, "87 of 134 are among the 500 draws that were planned"
    (line,) = published_lines([stated("64.93", 500)], rows(324, 500, 500, 500))
    assert line.says is Says.IMPOSSIBLE
    (line,) = published_lines([rate("41.7", unit_of="")], rows(4, 10, 9, 8))
    assert "nobody says that it is a count" in line.what
    assert line.says is Says.UNEXPLAINED
    (line,) = published_lines([rate("41.7")], rows(4, UNKNOWN, 9, 8))
    assert line.says is Says.UNEXPLAINED


@pytest.mark.parametrize(
    ("printed", "says"),
    [("66.6", Says.OTHER_COUNT), ("66.7", Says.OTHER_COUNT), ("66.4", Says.IMPOSSIBLE), ("33.4", Says.CUT)],
)
def test_what_was_cut_or_rounded_up_is_possible(printed, says):
    (line,) = published_lines([stated(printed, 3)], rows(1, 3, 3, 3))
    assert line.says is says


TWICE = "tasks passed at least 2 times"


def by_task(scheduled, recorded, scored, mean, some, every, most):
    counts = (
        AuditedCount(name=name, n=n) for name, n in zip(("s", "r", "c"), (scheduled, recorded, scored), strict=True)
    )
    sums = (
        Summed(MEAN, mean, ("mean", "pass_at_1")),
        Summed(ANY, Fraction(some), ("max", "at_least_1")),
        Summed(ALL, Fraction(every), ("min",)),
        Summed(TWICE, Fraction(every), ("at_least_2",), asked=True),
    )
    return ByTask(tuple(counts), sums, most)


EIGHTEEN = replace(rows(11, 18, 18, 14), by_task=by_task(6, 6, 5, Fraction(4), 5, 3, 3))
"""Six ids three times: 14 draws of five ids have a score; the mean of their rates is 4 of 5."""


@pytest.mark.parametrize(
    ("printed", "out_of", "unit", "says", "by"),
    [
        ("0.8", 5, "tasks", Says.GIVEN, MEAN),
        ("0.8", NotMeasured("not said"), "", Says.GIVEN, MEAN),
        ("0.8", 14, "draws", Says.CUT, "only where it was rounded"),
        ("0.75", 14, "draws", Says.IMPOSSIBLE, ""),
        ("0.6", 5, "tasks", Says.GIVEN, ALL),
        ("0.5333333333333333", 5, "tasks", Says.OTHER_COUNT, ""),
        ("0.5312345678901", 5, "tasks", Says.IMPOSSIBLE, ""),
        ("0.8", 5, "other", Says.UNCHECKED, ""),
    ],
)  # fmt: skip
def test_a_rate_of_tasks_is_held_against_tasks(printed, out_of, unit, says, by):
    one = Published(metric="accuracy", value=printed, unit="share", role="rate", out_of=out_of, unit_of=unit)
    (line,) = published_lines([one], EIGHTEEN)
    assert line.says is says, line
    assert line.what.removeprefix("by ").startswith(by)


@pytest.mark.parametrize(
    ("reducer", "printed", "says", "told"),
    [
        ("mean", "0.8", Says.GIVEN, "by the mean of each task's rate, over 5"),
        ("at_least_2", "0.6", Says.GIVEN, "by tasks passed at least 2 times, over 5"),
        ("at_least_2", "0.8", Says.OTHER_COUNT, "tasks passed at least 2 times: 3; 5 of 6 would; 4 of 5 would"),
        ("at_least_2", "0.8", Says.OTHER_COUNT, "the mean of each task's rate, over 5, prints so too, and is another number"),
        ("max", "0.8", Says.OTHER_COUNT, "tasks passed at least once: 5"),
        ("at_least_7", "0.8", Says.UNCHECKED, "it is 'at_least_7' of each task's draws"),
        ("house made", "0.8", Says.UNCHECKED, "it is 'house made' of each task's draws, which cannot be made of these rows"),
    ],
)  # fmt: skip
def test_a_number_is_given_only_by_what_its_source_says_it_made(reducer, printed, says, told):
    one = Published(
        metric="accuracy", value=printed, unit="share", role="rate", out_of=5, unit_of="tasks", reducer=reducer
    )
    (line,) = published_lines([one], EIGHTEEN)
    assert line.says is says, line
    assert told in line.what


def test_a_number_says_by_its_name_what_was_made():
    one = Published(metric="pass@5 base", value="0.8", unit="share", role="rate", out_of=5, unit_of="tasks")
    (line,) = published_lines([one], EIGHTEEN)
    assert line.says is Says.UNCHECKED
    assert "pass_at_5" in line.what
    (line,) = published_lines([replace(one, metric="pass@1")], EIGHTEEN)
    assert line.says is Says.GIVEN
    one_each = rows(4, 5, 5, 5)
    (line,) = published_lines([replace(one, metric="pass@1")], one_each)
    assert line.says is Says.GIVEN
    (line,) = published_lines([one], one_each)
    assert line.says is Says.UNCHECKED, "five draws of a task are not there"


def test_of_unsaid_reducers_those_that_fit_by_chance_are_not_tried():
    counted = replace(EIGHTEEN, by_task=replace(EIGHTEEN.by_task, sums=EIGHTEEN.by_task.sums[-1:]))
    one = Published(metric="accuracy", value="0.6", unit="share", role="rate", out_of=5, unit_of="tasks")
    (line,) = published_lines([one], counted)
    assert line.says is Says.POSSIBLE


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=1, max_size=8), st.integers(1, 5))
def test_no_rate_that_was_made_of_draws_or_tasks_is_called_impossible(tasks, k):
    """Means, medians, quorums and pass@k over tasks, and draws pooled."""
    n, most = len(tasks), max(map(len, tasks))
    means = [Fraction(sum(one), len(one)) for one in tasks]
    made = {
        "mean": means, "median": [Fraction(median(map(int, one))) for one in tasks],
        "at least k": [Fraction(sum(one) >= k) for one in tasks],
        "pass@k": [pass_at_k(len(one), sum(one), min(k, len(one))) for one in tasks],
    }  # fmt: skip
    draws = sum(map(len, tasks))
    passes = sum(map(sum, tasks))
    known = replace(
        rows(passes, draws, draws, draws),
        by_task=by_task(n, n, n, sum(means, Fraction()), sum(map(any, tasks)), sum(map(all, tasks)), most),
    )
    for name, values in made.items():
        for out_of in (n, NotMeasured("not said")):
            value = repr(float(sum(map(Fraction, values), Fraction()) / n))
            one = Published(metric=name, value=value, unit="share", role="rate", out_of=out_of, unit_of="tasks")
            assert published_lines([one], known)[0].says is not Says.IMPOSSIBLE, (name, value)


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=1, max_size=8), st.integers(1, 5))
def test_what_a_source_made_of_the_draws_of_its_tasks_is_made_of_the_rows(tasks, k):
    n, most, least = len(tasks), max(map(len, tasks)), min(map(len, tasks))
    made = {
        "mean": [Fraction(sum(one), len(one)) for one in tasks],
        "median": [Fraction(median(map(int, one))) for one in tasks],
        "max": [Fraction(any(one)) for one in tasks],
        f"at_least_{min(k, most)}": [Fraction(sum(one) >= min(k, most)) for one in tasks],
        f"pass_at_{min(k, least)}": [pass_at_k(len(one), sum(one), min(k, least)) for one in tasks],
    }
    if not any(2 * sum(one) == len(one) for one in tasks):
        made["mode"] = [Fraction(2 * sum(one) > len(one)) for one in tasks]
    draws, passes = sum(map(len, tasks)), sum(map(sum, tasks))
    sums = sums_of_tasks(Counter((len(one), sum(one)) for one in tasks), sum(made["mean"], Fraction()), most)
    many = by_task(n, n, n, Fraction(), 0, 0, max(most, 2))
    known = replace(rows(passes, draws, draws, draws), by_task=replace(many, sums=tuple(sums)))
    for reducer, values in made.items():
        value = repr(float(sum(values, Fraction()) / n))
        one = Published(
            metric="m", value=value, unit="share", role="rate", out_of=n, unit_of="tasks", reducer=reducer
        )  # fmt: skip
        (line,) = published_lines([one], known)
        assert line.says is Says.GIVEN, (reducer, line)


def test_without_any_denominator_nothing_is_held_against_anything():
    (line,) = published_lines([rate("71.4")], rows(NO_ROWS, UNKNOWN, 0, 0))
    assert line.says is Says.UNCHECKED


def test_a_violated_control_hides_what_would_give_the_split_away():
    counted = rows(HIDDEN, 10, 10, 10)
    lines = published_lines([rate("40"), count("4", "passed"), count("10", "scheduled")], counted)
    assert [one.says for one in lines] == [Says.WITHHELD, Says.WITHHELD, Says.AGREES]
    assert not any(one.given_by for one in lines[:2])


@pytest.mark.parametrize(
    ("role", "value", "says"),
    [
        ("passed", "4", Says.AGREES),
        ("passed", "5", Says.DISAGREES),
        ("scheduled", "10", Says.AGREES),
        ("scheduled", "9", Says.DISAGREES),
        ("completed", "9", Says.AGREES),
        ("completed", "8", Says.AGREES),
        ("completed", "7", Says.DISAGREES),
        ("errors", "1", Says.AGREES),
        ("errors", "3", Says.DISAGREES),
        ("other", "3", Says.UNCHECKED),
        ("passed", "4.5", Says.UNCHECKED),
    ],
)
def test_printed_counts_beside_the_counts_of_the_rows(role, value, says):
    (line,) = published_lines([count(value, role)], rows(4, 10, 9, 8, errors=1))
    assert line.says is says


@given(
    st.text(max_size=12),
    st.sampled_from(["percent", "share", "count", "usd"]),
    st.sampled_from(["rate", "passed", "cost"]),
)
def test_whatever_is_printed_is_a_line(value, unit, role):
    (line,) = published_lines([Published(metric="m", value=value, unit=unit, role=role)], rows(3, 8, 8, 8))
    assert line.printed == value


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 2))
def test_a_percentage_made_of_the_rows_is_given(n, k, digits):
    k = min(k, n)
    (line,) = published_lines([rate(f"{100 * k / n:.{digits}f}")], rows(k, UNKNOWN, n, n))
    assert line.says is Says.GIVEN


def test_passes_of_later_attempts_are_what_many_sources_count():
    counted = replace(rows(1, 5, 4, 3), passes_late=2)
    said, percent = published_lines([count("2", "passed"), rate("40.0")], counted)
    assert said.says is Says.AGREES
    assert "later attempts" in said.what
    assert percent.says is Says.GIVEN
    assert "later attempts, over 5 (scheduled)" in percent.what
    (other,) = published_lines([count("3", "passed")], counted)
    assert other.says is Says.DISAGREES
    assert "1 (the passes of its rows); 2 (" in other.what
