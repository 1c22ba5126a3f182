"""Columns of values told many at once are what each value is when it is read by itself; so are names and digests."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.importers.contents import content_digest
from denominator.pipeline.large_columns import Open, counted, dated, in_milliseconds, in_seconds
from denominator.pipeline.large_content import digest_of, digests_of, in_order
from denominator.pipeline.large_tasks import Tasks
from denominator.pipeline.large_values import as_told, holds_tiny, type_of
from denominator.records.values import is_placeholder
from denominator.wire.names import id_problem
from denominator.wire.strict import read

NUMBERS = st.one_of(
    st.integers(-2, 10**16),
    st.integers(0, 10**7).map(lambda ms: Decimal(ms) / 1000),
    st.decimals(-1, 10**12, allow_nan=False, places=7),
    st.floats(0, 1e13),
    st.sampled_from(
        (
            "0.0005",
            "0.0015",
            "2.5",
            "1e3",
            "25e-1",
            "0.0",
            "-0.0",
            "-0",
            "1e-400",
            "0e-999",
            "0." + "0" * 330 + "1",
            "0." + "0" * 240 + "1e-99",
            "4e-5",
            "4.9999999999999999",
        )
    ),
)
STAMPS = st.one_of(
    st.datetimes().map(lambda one: one.isoformat()),
    st.datetimes().map(lambda one: one.isoformat(timespec="milliseconds") + "Z"),
    st.from_regex(
        r"20[0-9]{2}-[01][0-9]-[0-3][0-9][T ][0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,7})?(Z|[+-]0[0-9]:00)?",
        fullmatch=True,
    ),
    st.sampled_from(
        ("", "soon", "2026-02-30T10:00:00Z", "0000-01-01T00:00:00Z", "0999-01-01T00:00:00", "2026-11-29T24:00:00Z")
    ),
)


def decoded(texts: list[str], read_: Open) -> tuple[list[Any], list[Any]]:
    """Values of JSON texts as a column of a form has them, and as a strict reading has them; texts of other types are left out."""
    decoder, pairs = msgspec.json.Decoder(type_of(read_)), []
    for text in texts:
        value, refusal = read(text.encode(), "decimal")
        try:
            pairs.append((decoder.decode(text), "refused" if refusal else value))
        except msgspec.MsgspecError:
            continue
    return [one for one, _ in pairs], [other for _, other in pairs]


def agree(read_: Open, texts: list[str]) -> None:
    """What is not odd is what it is by itself."""
    column, values = decoded(texts, read_)
    if not column:
        return
    told = as_told(read_, column, lambda: holds_tiny(" ".join(("", *texts)).encode()))
    kinds = told.kinds or [1] * len(column)
    for at, value in enumerate(values):
        if at in told.odd:
            continue
        alone = None if value is None else read_(value)
        if read_ is dated:
            assert kinds[at] == alone
        else:
            assert (kinds[at], None if value is None else told.numbers[at]) == (
                None if alone is None else int(alone > 0),
                alone,
            )


@settings(max_examples=300, deadline=None)
@given(st.lists(NUMBERS | st.none(), min_size=1, max_size=5), st.sampled_from((counted, in_seconds, in_milliseconds)))
def test_numbers(numbers: list[Any], read_: Open) -> None:
    agree(read_, ["null" if one is None else str(one) for one in numbers])


@settings(max_examples=300, deadline=None)
@given(st.lists(STAMPS | st.none(), min_size=1, max_size=4))
def test_stamps(stamps: list[str | None]) -> None:
    agree(dated, [json.dumps(one) for one in stamps])


def test_most_numbers_are_not_odd() -> None:
    """Otherwise the tests above would show nothing."""
    for read_, column in (
        (in_seconds, [0, 0.0, 0.25, 181.979, 0.1234567, 5]),
        (in_milliseconds, [1.25, 7]),
        (counted, [0, 9]),
    ):
        assert as_told(read_, column, bool).odd == []
    assert as_told(in_seconds, [0.0005, -1, 0.0], lambda: True).odd == [0, 1, 2]
    assert as_told(dated, ["2026-11-29T10:00:00.123Z", None], bool).odd == []


def test_what_looks_like_an_exponent_is_none_in_a_name() -> None:
    assert not holds_tiny(b'{"task_id": "name-100", "x": "12e-400", "score": 0.0}')
    assert all(holds_tiny(one) for one in (b'{"x":1e-400}', b'{"x": [0.5E-1000]}', b'{"x": 0.' + b"0" * 320 + b"1}"))


NAMES = st.sampled_from(
    ("a/b", "a", "todo", "n/a", "replace_me", "xxx", "a\nb", "..", " a", "é", "A-1.x", "none given", "")
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(NAMES, min_size=1, max_size=4), max_size=4))
def test_tasks_are_numbered_as_they_come(blocks: list[list[str]]) -> None:
    tasks = Tasks(None)
    for names in blocks:
        for name, number in zip(names, tasks.numbered(names), strict=True):
            assert (number is None) == (is_placeholder(name) or id_problem(name) is not None)
        assert [tasks.other(one) for one in names] == list(tasks.taken(names))
    assert [tasks.other(name) for name in tasks.names] == list(range(len(tasks)))
    names, numbered = tasks.named()
    assert names == list(numbered)
    assert {*names} == {name for names in blocks for name in names}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from((b"", b"a", b"b", b"{}", b"\xff")), min_size=1, max_size=9), st.integers(0, 9))
def test_the_digest_of_lines_is_that_of_a_file_in_memory(lines: list[bytes], cut: int) -> None:
    parts = in_order(digests_of(lines[:cut])), digests_of(lines[cut:])
    assert digest_of(in_order(*parts)) == content_digest("rows.jsonl", b"".join(one + b"\n" for one in lines))
