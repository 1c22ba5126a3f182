"""The plain list of tool calls, and when two calls are the same."""

from __future__ import annotations

from decimal import Decimal

import pytest

from denominator.readers.tools import ToolCalls, facts_of, plain_calls
from denominator.readers.tools.results import result_digest
from denominator.records.facts import Repetition
from denominator.records.values import NotMeasured
from denominator.wire.arguments import arguments_text


def _facts(entries):
    return facts_of(plain_calls(entries), "import")


def _poll(*results, **more):
    return [{"name": "poll", "args": {"h": 1}, "result_sha": result, **more} for result in results]


def test_polling_with_new_output_is_no_repetition():
    facts = _facts(_poll("o0", "o1", "o2", "o3"))
    assert (facts.repeats, facts.complete, facts.calls) == ((), True, 4)


def test_the_same_call_with_the_same_output_is_one():
    assert _facts(_poll("o", "o", "o")).repeats == (Repetition(block=1, times=3, first=0, tools=("poll",)),)


def test_another_exit_code_is_another_result():
    calls = [entry | {"exit": code} for entry, code in zip(_poll("", "", ""), (1, 1, 0), strict=True)]
    assert [r.times for r in _facts([c | {"result_sha": "e"} for c in calls]).repeats] == [2]


def test_a_missing_digest_ends_a_repetition_and_is_said():
    calls = [*_poll("o", "o"), {"name": "poll", "args": {"h": 1}}, *_poll("o", "o")]
    facts = _facts(calls)
    assert [r.times for r in facts.repeats] == [2]
    assert (facts.complete, facts.with_results, facts.calls) == (False, 4, 5)


def test_a_whole_result_counts_as_its_digest():
    given = [{"name": "sh", "args": "ls", "result": text} for text in ("a", "a", "b")]
    assert [r.times for r in _facts(given).repeats] == [2]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1}, {"a": Decimal("1.0")}),
        ({"a": Decimal("1.50")}, {"a": 1.5}),
        ({"a": Decimal("1e2")}, {"a": 100}),
        ({"a": 0}, {"a": Decimal("-0.0")}),
        ({"a": 1}, '{ "a" : 1.0 }'),
        ({}, ""),
        ({}, None),
        ("[1]", [1]),
        ({"a": Decimal("1e300")}, {"a": Decimal("10e299")}),
    ],
)
def test_writing_makes_no_difference(one, other):
    assert arguments_text(one) == arguments_text(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"cmd": "ls  -l"}, {"cmd": "ls -l"}),
        ({"cmd": "ls "}, {"cmd": "ls"}),
        ("ls -l", "ls  -l"),
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": True}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ('{"a":1,"a":2}', '{"a":2}'),
        ({"a": '{"b": 1}'}, {"a": '{"b":1}'}),
        ({"a": Decimal("0.1")}, {"a": Decimal("0.10001")}),
    ],
)
def test_meaning_does(one, other):
    assert arguments_text(one) != arguments_text(other)


@pytest.mark.parametrize("value", [None, "x", {"name": "a"}, [{"args": {}}], ["a"], [{"name": 3}], [{"name": ""}]])
def test_what_is_no_list_of_calls_is_not_measured(value):
    assert isinstance(plain_calls(value), NotMeasured)


def test_no_calls_at_all_is_an_answer():
    assert plain_calls([]) == ToolCalls()
    assert _facts([]).complete is True


def test_a_digest_that_is_no_text_is_unknown():
    assert _facts([{"name": "a", "result_sha256": 5}]).complete is False


def test_arguments_without_end_are_unknown():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert isinstance(arguments_text(deep), NotMeasured)
    assert isinstance(result_digest({"a": deep}), NotMeasured)


def test_results_are_read_as_the_model_reads_them():
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}]
    assert result_digest(parts) == result_digest("ab")
    picture = [{"type": "image", "source": {"data": "x"}}]
    assert result_digest(picture) == result_digest([picture[0] | {"cache_control": {"type": "ephemeral"}}])
    assert result_digest(picture) != result_digest([{"type": "image", "source": {"data": "y"}}])
    assert result_digest("half \ud800 pair") != result_digest("half pair")
