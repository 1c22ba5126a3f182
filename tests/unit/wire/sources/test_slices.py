"""Slices of one long JSON object are what a parser of the whole document finds, wherever chunks of it end."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.wire.sources.slices import Piece, slices, without_nan

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text())
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)
LIKE = st.lists(st.fixed_dictionaries({"id": st.text('a",{}[]\\:\n', max_size=6), "x": VALUES}), max_size=6)
DOCUMENTS = st.dictionaries(st.sampled_from(("a", "b", '"', "samples", "\\")), VALUES | LIKE, max_size=5)


def cut(data: bytes, *lists: str, chunk: int = 7, most: int = 1 << 20) -> list[Piece]:
    return list(slices(io.BytesIO(data), "x.json", lists, most, chunk))


def put_together(pieces: list[Piece], lists: tuple[str, ...], document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for piece in pieces:
        value = json.loads(piece.data)
        if piece.place >= 0:
            assert piece.key in lists
            assert len(found.setdefault(piece.key, [])) == piece.place
            found[piece.key].append(value)
        else:
            found[piece.key] = value
    empty = {key: [] for key in lists if document.get(key) == []}
    return found | empty


@settings(deadline=None, max_examples=150)
@given(DOCUMENTS, st.sampled_from((None, 0, 2)), st.integers(1, 40), st.booleans())
def test_slices_are_what_a_parser_of_the_whole_finds(
    document: dict[str, Any], indent: int | None, chunk: int, plain: bool
) -> None:
    data = json.dumps(document, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    lists = ("samples", "a")
    assert put_together(cut(data, *lists, chunk=chunk), lists, document) == document


@settings(deadline=None, max_examples=100)
@given(LIKE, st.sampled_from((None, 2)), st.integers(1, 30))
def test_elements_that_begin_alike_are_found_whatever_their_texts_hold(
    samples: list[dict[str, Any]], indent: int | None, chunk: int
) -> None:
    inner = [{**one, "y": [{"id": "},", "x": 1}, {"id": '},{"id":', "x": {"id": 2}}]} for one in samples]
    data = json.dumps({"samples": inner, "z": 1}, indent=indent).encode()
    found = [json.loads(piece.data) for piece in cut(data, "samples", chunk=chunk) if piece.place >= 0]
    assert found == inner


@settings(deadline=None, max_examples=150)
@given(DOCUMENTS, st.integers(0, 400), st.binary(max_size=3), st.integers(1, 20))
def test_damage_is_an_input_error_or_slices(document: dict[str, Any], place: int, junk: bytes, chunk: int) -> None:
    data = json.dumps(document).encode()
    broken = data[:place] + junk + data[place + len(junk) :]
    try:
        cut(broken, "samples", chunk=chunk)
    except InputError as error:
        assert error.what


def test_a_cut_document_gives_what_was_whole_and_then_an_error() -> None:
    data = b'{"a": 1, "samples": [{"id": 1}, {"id": 2}, {"id"'
    seen = []
    with pytest.raises(InputError, match="breaks off"):
        for piece in slices(io.BytesIO(data), "x.json", ("samples",)):
            seen.append(piece.data)
    assert seen == [b"1", b'{"id": 1}', b'{"id": 2}']


def test_a_value_that_is_too_long_is_refused_while_it_is_read() -> None:
    with pytest.raises(InputError, match="more than 100 bytes"):
        cut(b'{"a": "' + b"x" * 10_000 + b'"}', most=100)


def test_elements_with_nan_are_found_by_their_beginning_too() -> None:
    samples = [{"id": number, "value": float("nan"), "text": "NaN, -Infinity"} for number in range(5)]
    data = json.dumps({"samples": samples}, indent=2).encode()
    found = [piece.data for piece in cut(data, "samples")]
    assert [json.loads(without_nan(one)) for one in found] == [{**one, "value": None} for one in samples]


def test_no_object_is_an_error() -> None:
    for data in (
        b"",
        b"[]",
        b"{",
        b'{"a"}',
        b'{"a":}',
        b'{"a":1,}',
        b'{"a":1 "b":2}',
        b'{"a" 1}',
        b"{a:1}",
        b'{"a":]}',
    ):
        with pytest.raises(InputError):
            cut(data)


@settings(deadline=None, max_examples=30)
@given(st.lists(VALUES, min_size=5, max_size=15), st.integers(50, 3000), st.sampled_from((None, 1)))
def test_long_elements_are_found_by_blocks(values: list[Any], chunk: int, indent: int | None) -> None:
    element = {"id": 1, "deep": [[[{"a": values}]]], "text": '}]"\\' * 400, "more": [{"x": '\\"}' * 90}, values]}
    data = json.dumps({"samples": [element, [element], element], "z": element}, indent=indent).encode()
    found = cut(data, "samples", chunk=chunk)
    assert [json.loads(one.data) for one in found] == [element, [element], element, element]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("chunk", [5, 300, 1 << 20])
def test_what_lies_in_an_element_may_begin_like_one(indent: int | None, chunk: int) -> None:
    """Messages begin with an id as samples do; what stands behind it tells them apart, and a parser has the last word."""
    said = [{"id": f"m{at}", "role": "user", "content": '{"id": 1, "epoch": 2}'} for at in range(5)]
    odd = {"id": "m", "epoch": 0, "role": "tool"}
    samples = [{"id": at, "epoch": 1, "messages": [*said, *[odd] * (at == 4)], "note": '"}, {"id":'} for at in range(9)]
    data = json.dumps({"status": "success", "samples": samples}, indent=indent).encode()
    parsed: list[bytes] = []

    def parses(one: bytes) -> bool:
        try:
            json.loads(one)
        except ValueError:
            return False
        parsed.append(one)
        return True

    found = list(slices(io.BytesIO(data), "x.json", ("samples",), 1 << 20, chunk, parses))
    assert [json.loads(piece.data) for piece in found if piece.place >= 0] == samples
    assert parsed
    assert all(any(one is piece.data for piece in found) for one in parsed)
