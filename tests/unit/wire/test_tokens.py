"""Canary tokens are found in every writing that the reader promises, and in no text that does not hold them."""

from __future__ import annotations

import base64
import bz2
import codecs
import gzip
import html
import io
import lzma
import random
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.wire.tokens import token_hits

WORDS = st.text(alphabet="ABCDEFGHabcdefgh0123456789-_", min_size=14, max_size=40)
TOKENS = WORDS.filter(lambda word: sum(c.isdigit() for c in word) > 1 and sum(c.isalpha() for c in word) > 7)
NEIGHBOURS = st.binary(max_size=20)
Way = Callable[[bytes], bytes]


def lines(data: bytes, width: int = 19, mark: bytes = b"+    ") -> bytes:
    return b"\n".join(mark + b'"' + data[at : at + width] + b'"' for at in range(0, len(data), width))


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/b.txt", data)
    return out.getvalue()


def git_binary(data: bytes) -> bytes:
    packed = zlib.compress(data)
    rows = []
    for at in range(0, len(packed), 52):
        part = packed[at : at + 52]
        length = chr(64 + len(part)) if len(part) <= 26 else chr(70 + len(part))
        rows.append(length.encode() + base64.b85encode(part, pad=True))
    return b"diff --git a/x b/x\nGIT binary patch\nliteral %d\n" % len(data) + b"\n".join(rows) + b"\n\n"


ROUND_ANY: dict[str, Way] = {
    "base64": base64.b64encode,
    "base64 without padding": lambda data: base64.b64encode(data).rstrip(b"="),
    "base64 url-safe": base64.urlsafe_b64encode,
    "base64 over lines of a diff": lambda data: lines(base64.b64encode(data)),
    "base64 of mail": base64.encodebytes,
    "base64 of a URL": lambda data: quote(base64.b64encode(data), safe="").encode(),
    "base64 of a JSON string": lambda data: base64.encodebytes(data).replace(b"\n", rb"\n"),
    "base32": base64.b32encode,
    "hex": lambda data: data.hex().encode(),
    "upper hex": lambda data: data.hex().upper().encode(),
    "hex dump": lambda data: data.hex(" ").encode(),
    "hex list": lambda data: b", ".join(b"0x%02X" % one for one in data),
    "backslash x": lambda data: b"".join(rb"\x%02x" % one for one in data),
    "octal": lambda data: b"".join(rb"\%03o" % one for one in data),
    "percent": lambda data: b"".join(b"%%%02X" % one for one in data),
    "percent twice": lambda data: b"".join(b"%%25%02X" % one for one in data),
    "quoted printable": lambda data: b"".join(b"=%02X" % one for one in data),
    "base64 twice": lambda data: base64.b64encode(base64.b64encode(data)),
    "hex of base64": lambda data: base64.b64encode(data).hex().encode(),
    "gzip": gzip.compress,
    "gzip in base64": lambda data: base64.b64encode(gzip.compress(data)),
    "gzip in base64 over lines": lambda data: lines(base64.b64encode(gzip.compress(data))),
    "zlib in base64": lambda data: base64.b64encode(zlib.compress(data)),
    "zlib in hex": lambda data: zlib.compress(data).hex().encode(),
    "bzip2 in base64": lambda data: base64.b64encode(bz2.compress(data)),
    "xz in base64": lambda data: base64.b64encode(lzma.compress(data)),
    "zip": zipped,
    "binary patch": git_binary,
}
TOKEN_ALONE: dict[str, Callable[[str], bytes]] = {
    "plain": str.encode,
    "lower case": lambda token: token.lower().encode(),
    "upper case": lambda token: token.upper().encode(),
    "reversed": lambda token: token[::-1].encode(),
    "rot13": lambda token: codecs.encode(token, "rot13").encode(),
    "utf-16": lambda token: token.encode("utf-16"),
    "utf-16 be": lambda token: token.encode("utf-16-be"),
    "utf-32": lambda token: token.encode("utf-32"),
    "base64 of utf-16": lambda token: base64.b64encode(token.encode("utf-16-le")),
    "base85": lambda token: base64.b85encode(token.encode()),
    "ascii85": lambda token: base64.a85encode(token.encode()),
    "unicode escapes": lambda token: "".join(f"\\u{ord(one):04x}" for one in token).encode(),
    "unicode braces": lambda token: "".join(f"\\u{{{ord(one):x}}}" for one in token).encode(),
    "html decimal": lambda token: "".join(f"&#{ord(one)};" for one in token).encode(),
    "html hex": lambda token: "".join(f"&#x{ord(one):X};" for one in token).encode(),
    "html twice": lambda token: html.escape("".join(f"&#{ord(one)};" for one in token)).encode(),
    "zero width": lambda token: "\u200b".join(token).encode(),
    "soft hyphens": lambda token: "\u00ad".join(token).encode(),
    "full width": lambda token: "".join(chr(ord(one) + 0xFEE0) for one in token).encode(),
    "spaced": lambda token: " ".join(token).encode(),
    "string sum": lambda token: f'"{token[:5]}" + \\\n+    "{token[5:]}"'.encode(),
    "list of letters": lambda token: str(list(token)).encode(),
    "character numbers": lambda token: str([ord(one) for one in token]).encode(),
    "over diff lines": lambda token: f"+a = ('{token[:7]}'\n+     '{token[7:]}')".encode(),
}


@pytest.mark.parametrize("way", ROUND_ANY)
@settings(max_examples=25)
@given(TOKENS, NEIGHBOURS, NEIGHBOURS)
def test_a_token_with_neighbours_is_found_in_any_wrapping(way: str, token: str, before: bytes, after: bytes) -> None:
    wrapped = b"x = '" + ROUND_ANY[way](before + token.encode() + after) + b"'\nprint(x)\n"
    if way in ("gzip", "zip", "binary patch"):
        wrapped = ROUND_ANY[way](before + token.encode() + after)
    assert token_hits(token, {"a.py": wrapped}), wrapped


@pytest.mark.parametrize("way", TOKEN_ALONE)
@settings(max_examples=25)
@given(TOKENS)
def test_a_token_is_found_in_any_writing(way: str, token: str) -> None:
    written = TOKEN_ALONE[way](token)
    assert token_hits(token, {"a.py": b"# see " * ("utf-" not in way) + written})


SOURCES = sorted((Path(__file__).parents[3] / "src" / "denominator").rglob("*.py"))
REAL_TOKENS = [f"CANARY-{random.Random(seed).randbytes(size).hex()}" for seed in range(8) for size in (3, 4, 8)]


def test_no_token_is_found_in_sources_and_rubbish_that_do_not_hold_it() -> None:
    rng = random.Random(7)
    rubbish = {
        "bytes": rng.randbytes(30_000),
        "base64": base64.encodebytes(rng.randbytes(30_000)),
        "hex": rng.randbytes(30_000).hex().encode(),
        "numbers": str([rng.randrange(33, 127) for _ in range(9_000)]).encode(),
        "sources": b"\n".join(path.read_bytes() for path in SOURCES[::10]),
    }
    for token in REAL_TOKENS[:3]:
        assert token_hits(token, rubbish) == ()


@pytest.mark.parametrize("token", ["a", "abc", "test", "canary", "do-not-train", "the-answer"])
def test_a_token_of_common_words_is_no_alarm_for_a_text_without_it(token: str) -> None:
    text = b"Do not train here: the answer stays with can ary and tes t, a b c.\nsrc = base64.b64decode(data)\n"
    found = token_hits(token, {"a": text.replace(b"a b c", b"") if token == "abc" else text})
    assert not [one for one in found if not one.endswith(": plain")]


@given(st.binary(max_size=400), st.text(min_size=1, max_size=30))
def test_any_bytes_and_any_token_are_read(data: bytes, token: str) -> None:
    hits = token_hits(token, {"a": data, "b": data + token.encode("utf-8", "surrogatepass")})
    assert any(hit == "b: plain" for hit in hits)


def test_a_bomb_is_opened_only_so_far() -> None:
    bomb = gzip.compress(b"\0" * (20 << 20), 9)
    assert token_hits("CANARY-7f3a9c", {"a": bomb}) == ()


@pytest.mark.parametrize("data", [b" " * 500_000 + b"x", b'"' + b" " * 500_000, b"\n" * 500_000, b"\n " * 250_000])
def test_bytes_made_to_keep_the_search_busy_are_soon_read(data: bytes) -> None:
    started = time.monotonic()
    assert token_hits("denominator-canary-0123456789", {"a": data}) == ()
    assert time.monotonic() - started < 15
