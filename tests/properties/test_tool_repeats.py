"""What repeats in tool calls, against a slow search, and arguments that differ only in writing."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.tools import BLOCK_MAX, plain_calls, tool_call, tool_facts
from denominator.records.facts import Repetition, ToolFacts
from denominator.records.values import NotMeasured
from denominator.wire.arguments import arguments_text

_letters = st.lists(st.sampled_from("aab-"), max_size=24) | st.lists(st.sampled_from("abc"), max_size=40)
_blocks = st.tuples(_letters, st.lists(st.sampled_from("abcde"), max_size=6), st.integers(0, 5), _letters).map(
    lambda parts: parts[0] + parts[1] * parts[2] + parts[3]
)


def _calls(word: list[str]):
    """A letter is a call with its result; "-" a call without one."""
    return [
        tool_call(n, "sh", {"cmd": c}, NotMeasured("none")) if c == "-" else tool_call(n, f"tool-{c}", {"cmd": c}, c)
        for n, c in enumerate(word)
    ]


def _slow(word: list[str]) -> list[Repetition]:
    found = []
    for size in range(1, BLOCK_MAX + 1):
        best = None
        for first in range(len(word)):
            block = word[first : first + size]
            shorter = any(block[:part] * (size // part) == block for part in range(1, size) if size % part == 0)
            if len(block) < size or "-" in block or shorter:
                continue
            times = 1
            while word[first + times * size : first + (times + 1) * size] == block:
                times += 1
            if times > 1 and (best is None or times > best.times):
                tools = tuple(f"tool-{letter}" for letter in block)
                best = Repetition(block=size, times=times, first=first, tools=tools)
        found += [best] if best else []
    return found


@given(_letters | _blocks)
def test_the_one_pass_finds_what_a_slow_search_finds(word):
    assert tool_facts(_calls(word), "import") == ToolFacts(
        source="import",
        calls=len(word),
        with_results=len(word) - word.count("-"),
        complete="-" not in word,
        repeats=tuple(_slow(word)),
    )


@given(_blocks)
def test_nothing_repeats_across_threads(word):
    calls = [replace(call, thread=n) for n, call in enumerate(_calls(word))]
    assert tool_facts(calls, "traffic").repeats == ()


_leaf = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.decimals(-(10**12), 10**12, places=3)
_json = st.recursive(
    _leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


def _written(value, indent=None, *, turned=False):
    """The value as JSON text, keys in either order; whole decimals in one of two spellings."""
    if isinstance(value, Decimal):
        return str(value) if turned else f"{value:f}"
    if isinstance(value, dict):
        pairs = [f"{json.dumps(k)}:{indent or ''}{_written(v, indent, turned=turned)}" for k, v in value.items()]
        return "{" + ", ".join(reversed(pairs) if turned else pairs) + "}"
    if isinstance(value, list):
        return "[" + ("," + (indent or "")).join(_written(v, indent, turned=turned) for v in value) + "]"
    return json.dumps(value)


@given(st.dictionaries(st.text(max_size=3), _json, max_size=4))
def test_key_order_and_spaces_make_no_difference(arguments):
    straight, turned = _written(arguments), _written(arguments, "\n  ", turned=True)
    assert arguments_text(straight) == arguments_text(turned) == arguments_text(arguments)


@given(_json, _json)
def test_different_arguments_stay_different(one, other):
    same = _written(one) == _written(other)
    if arguments_text({"v": one}) == arguments_text({"v": other}):
        assert same or one == other
    else:
        assert not same


@given(_json)
def test_no_list_of_calls_raises(value):
    plain_calls(value)
    plain_calls([{"name": "n", "args": value, "result": value, "exit": value, "turn": value}])
