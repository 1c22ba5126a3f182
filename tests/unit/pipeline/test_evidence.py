"""Canary tokens are found however they are written; the files that an agent leaves are read without following anything."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.evidence import MAX_BYTES, read_out
from denominator.wire.tokens import token_hits

TOKENS = st.text(alphabet="ABCDEFabcdef0123456789-_", min_size=16, max_size=40)
WAYS = {
    "plain": lambda token, before, after: before + token + after,
    "reversed": lambda token, before, after: before + token[::-1] + after,
    "hex": lambda token, before, after: before + token.hex().encode() + after,
    "percent": lambda token, before, after: before + quote(token.decode(), safe="").encode() + after,
    "base64": lambda token, before, after: base64.b64encode(before + token + after),
}


@pytest.mark.parametrize("way", WAYS)
@given(TOKENS, st.binary(max_size=20), st.binary(max_size=20))
def test_a_token_is_found_however_it_is_written(way: str, token: str, before: bytes, after: bytes) -> None:
    assert token_hits(token, {"a.py": WAYS[way](token.encode(), before, after)})


@given(st.text(alphabet="ABCabc0123456789", min_size=1, max_size=40))
def test_without_the_token_there_is_no_hit_however_short_it_is(token: str) -> None:
    innocent = b"#" * 50 + bytes(range(0x80, 0x100)) + b"!\n" * 50
    assert token_hits(token, {"a.py": innocent}) == ()
    assert token_hits("", {"a.py": innocent}) == ()


def test_a_short_token_is_not_found_in_every_text() -> None:
    assert token_hits("abcd", {"a.py": b"def encode(value): return value" * 10}) == ()
    assert token_hits("abcd", {"a.py": b"x abcd"}) == ("a.py: plain",)


class Kept:
    """Blobs in memory."""

    def put(self, data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()


def test_only_the_three_known_files_are_read_and_no_link_is_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not yours")
    out = tmp_path / "out"
    out.mkdir()
    (out / "ask.md").symlink_to(secret)
    os.mkfifo(out / "abstain.md")
    (out / "tools.jsonl").write_text("{}\n")
    (out / "other.md").write_text("kept by nobody")
    assert {name: size for name, (_, size) in read_out(out, Kept()).items()} == {"tools": 3}  # type: ignore[arg-type]


def test_an_empty_question_is_none_and_a_huge_one_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "ask.md").write_text(" \n")
    with (tmp_path / "abstain.md").open("wb") as huge:
        huge.truncate(MAX_BYTES + 1)
    assert read_out(tmp_path, Kept()) == {}  # type: ignore[arg-type]
