"""Whatever the bytes are: a source gives members or refuses in words, and both readers of JSON give the same."""

from __future__ import annotations

import gzip
import io
import json
import math
import tempfile
import tracemalloc
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.wire.sources import loose, loose_json, loose_yaml, open_source
from unit.wire.sources.zips import Made, zip64_of, zip_of

MOST = 64 << 20
NIGHT = 1_000

numbers = st.one_of(
    st.integers(),
    st.integers(min_value=-(10**310), max_value=10**310),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.sampled_from(
        ["1e400", "-1E-400", "NaN", "Infinity", "-Infinity", "-0", "-0.0", "1e5", "0.10", "01", "1.", "+1"]
    ),
)
texts = st.one_of(st.text(), st.sampled_from(["\\ud800", "\\uD83D\\uDE00", "\\u003a", "\x01", '\\"', "\\/", "\\x"]))
leaves = st.one_of(
    numbers.map(str), st.sampled_from(["true", "false", "null", "nul", "", "{", "]"]), texts.map('"{}"'.format)
)
documents = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5).map(lambda parts: "[" + ",".join(parts) + "]"),
        st.lists(st.tuples(st.sampled_from(["a", "b", "\\u0061", "é", "\\udc00"]), inner), max_size=5).map(
            lambda pairs: "{" + ", ".join(f'"{key}": {value}' for key, value in pairs) + "}"
        ),
    ),
    max_leaves=20,
)


def value_or_refusal(call: Any, *given: Any) -> str:
    try:
        return repr(call(*given))
    except InputError as error:
        return f"refused: {error.what}"


def is_plain(value: Any) -> bool:
    """Only what every importer knows: no NaN, no half character, nothing that a later step could choke on."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(key) and is_plain(one) for key, one in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    if isinstance(value, str):
        return bool(value.encode() or not value)
    if isinstance(value, Decimal):
        return value.is_finite()
    if isinstance(value, int):
        return math.isfinite(float(value))
    return value is None


@settings(max_examples=NIGHT)
@given(documents.map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"-" + b"9" * 300)
@example(b'{"a": 1, "\\u0061": 2}')
@example(b"\xef\xbb\xbf1")
@example(b"[1]\x0b")
def test_both_paths_of_json_give_the_same(data: bytes) -> None:
    fast = loose.fast(data)
    slow = value_or_refusal(loose.plain, data, "a")
    assert fast is loose.SLOW or repr(fast) == slow
    assert value_or_refusal(loose_json, data, "a") == slow
    if not slow.startswith("refused"):
        assert is_plain(loose_json(data, "a"))


@settings(max_examples=NIGHT)
@given(
    st.binary(max_size=60)
    | st.text(alphabet='[]{}":,0123456789.eE-\\ud8truefalsnNaIifty \n', max_size=60).map(str.encode)
)
def test_any_bytes_are_json_alike_or_refused_alike(data: bytes) -> None:
    fast = loose.fast(data)
    slow = value_or_refusal(loose.plain, data, "a")
    assert fast is loose.SLOW or repr(fast) == slow


YAML_BITS = (
    "a: 1", "- b", "? c", "&x ", "*x", "!!set ", "!!float ", "!!bool ", "!!null ", "!t ", "<<: ", "[", "]", "{", "}", ",", ": ", "\n", "  ", "|\n", ">-\n",
    '"\\u0041"', '"\\x00"', '"\\uD800"', "'", "#", "---", "...", "%YAML 1.1\n", "1:30", "0x1f", "1.5e+400", ".nan", "~", "=", "é", "\t", "\x85", "@", "`",
)  # fmt: skip


@settings(max_examples=NIGHT)
@given(st.lists(st.sampled_from(YAML_BITS), max_size=25).map("".join).map(str.encode) | st.binary(max_size=40))
def test_any_yaml_is_plain_or_refused(data: bytes) -> None:
    try:
        found = loose_yaml(data, "a")
    except InputError:
        return
    assert is_plain(found)
    json.dumps(found, default=str, sort_keys=True)


def read_all(data: bytes, name: str) -> dict[str, bytes] | None:
    """Every member, or None where something is refused. Memory is bounded."""
    with tempfile.TemporaryDirectory(prefix="denominator-sources-") as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        tracemalloc.start()
        try:
            source = open_source(path)
            for member in source.names():
                assert source.size(member) >= 0
            return {member: source.read(member, MOST) for member in source.names()}
        except InputError as error:
            assert error.what
            assert error.where
            return None
        finally:
            assert tracemalloc.get_traced_memory()[1] < 3 * MOST
            tracemalloc.stop()


def ordinary_zip() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(3):
            file.writestr(f"samples/{number}.json", json.dumps({"id": number, "text": "x" * 50}))
    return made.getvalue()


MADE = [
    Made(name=b"a", data=b"[1]" * 30),
    Made(name=b"b/c", data=b"{}", method=0),
    Made(name=b"d", data=b"x" * 90, method=93),
]
WHOLE = {
    "log.eval": ordinary_zip(),
    "own.zip": zip_of(MADE, comment=b"said"),
    "large.zip": zip64_of(MADE),
    "rows.jsonl.gz": gzip.compress(b'{"a": 1}\n' * 40) + bytes(9) + gzip.compress(b"{}"),
}
damage = st.one_of(
    st.tuples(st.just("cut"), st.integers(0, 10**6), st.just(b"")),
    st.tuples(st.just("put"), st.integers(0, 10**6), st.binary(min_size=1, max_size=8) | st.just(b"\xff" * 8)),
    st.tuples(
        st.just("add"), st.integers(0, 10**6), st.binary(min_size=1, max_size=8) | st.just(b"PK\x05\x06" + bytes(18))
    ),
    st.tuples(st.just("take"), st.integers(0, 10**6), st.just(b"12345678")),
)


def damaged(data: bytes, steps: list[tuple[str, int, bytes]]) -> bytes:
    for kind, place, piece in steps:
        at = place % (len(data) + 1)
        behind = {
            "cut": b"",
            "put": piece + data[at + len(piece) :],
            "add": piece + data[at:],
            "take": data[at + len(piece) :],
        }
        data = data[:at] + behind[kind]
    return data


@pytest.mark.parametrize("name", sorted(WHOLE))
@settings(max_examples=NIGHT)
@given(steps=st.lists(damage, min_size=1, max_size=3))
def test_a_damaged_container_gives_what_was_in_it_or_is_refused(name: str, steps: list[tuple[str, int, bytes]]) -> None:
    whole = read_all(WHOLE[name], name)
    assert whole
    found = read_all(damaged(WHOLE[name], steps), name)
    if found is not None and name != "rows.jsonl.gz":
        texts = {*whole.values(), b""}
        assert all(data in texts or data == damaged(WHOLE[name], steps) for data in found.values())
