"""An HTTP answer does not depend on where its bytes were cut, and no bytes make the reader raise."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from denominator.records.values import NotMeasured
from denominator.wire.http_coding import Unpacker, decoded
from denominator.wire.http_reply import (
    HEAD_BYTES_MAX,
    INTERIM_MAX,
    Framing,
    HttpReply,
    ReplyReader,
    State,
    arrived_us,
    read_reply,
)

CAP = 4096
OK = b"HTTP/1.1 200 OK\r\n"
_body = st.binary(max_size=300)
_name = st.sampled_from([b"Content-Type: application/json", b"X-Odd:\xe4 b ", b"Set-Cookie: a=b", b"Retry-After: 3"])
_cuts = st.lists(st.integers(0, 5000), max_size=12)


def _chunked(body: bytes, sizes: list[int], extension: bytes = b"") -> bytes:
    out, at = b"", 0
    for size in [*sizes, len(body)]:
        piece = body[at : at + size]
        at += size
        if piece:
            out += b"%x%s\r\n%s\r\n" % (len(piece), extension, piece)
    return out + b"0\r\n\r\n"


@st.composite
def _messages(draw) -> tuple[bytes, bytes, Framing]:
    """A legal message, its body, its framing."""
    body = draw(_body)
    framing = draw(st.sampled_from([Framing.LENGTH, Framing.CHUNKED, Framing.EOF]))
    lines = draw(st.lists(_name, max_size=4))
    extension = draw(st.sampled_from([b"", b";a=b", b';a="b c"']))
    coded = body
    if framing is Framing.LENGTH:
        lines.append(b"Content-Length: %d" % len(body))
    elif framing is Framing.CHUNKED:
        lines.append(b"Transfer-Encoding: chunked")
        coded = _chunked(body, draw(st.lists(st.integers(1, 40), max_size=6)), extension)
    interim = draw(
        st.sampled_from([b"", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n" * 2])
    )
    return interim + OK + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + coded, body, framing


def _fed(wire: bytes, cuts: list[int], cap: int = CAP, *, closed: bool = False) -> tuple[HttpReply, bytes]:
    reader, got = ReplyReader(cap), b""
    ends = sorted({min(cut, len(wire)) for cut in cuts})
    for start, stop in zip([0, *ends], [*ends, len(wire)], strict=True):
        got += reader.feed(wire[start:stop])
    if closed:
        reader.end()
    return reader.reply(), got


@given(_messages(), _cuts)
def test_a_legal_message_is_read_whole_however_it_is_cut(message, cuts):
    wire, body, framing = message
    reply, got = _fed(wire, cuts, closed=True)
    assert (reply.state, reply.body, reply.framing, reply.status) == (State.WHOLE, body, framing, 200)
    assert got == body
    assert reply.extra == 0


@given(_messages(), st.integers(0, 600), st.binary(max_size=20), st.integers(0, 400), _cuts, st.booleans())
def test_any_cut_of_any_damage_gives_the_same_reply(message, at, junk, cap, cuts, closed):
    wire = message[0][:at] + junk + message[0][at:]
    whole = read_reply(wire, cap, closed=closed)
    assert _fed(wire, cuts, cap, closed=closed)[0] == whole
    assert _fed(wire, list(range(len(wire))), cap, closed=closed)[0] == whole


@given(st.binary(max_size=400))
@example(OK + b"Content-Length: " + b"9" * 6000 + b"\r\n\r\n")
@example(OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 30 + b"\r\n")
@example(b"HTTP/1.1 099 x\r\n\r\n")
@example(b"HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\nzzz")
@example(b"\n")
def test_no_bytes_raise(raw):
    assert read_reply(raw, CAP).state in State
    assert read_reply(OK + raw, CAP, closed=True).state in State
    decoded(read_reply(OK + b"Content-Encoding: gzip\r\n\r\n" + raw, CAP), CAP)


@given(_messages())
def test_each_byte_of_the_body_knows_its_place_in_the_wire(message):
    wire, body, _ = message
    reply = read_reply(wire, CAP)
    assert reply.wire_size(0) == 0
    for size in range(1, len(body) + 1):
        end = reply.wire_size(size)
        assert read_reply(wire[:end], CAP).body == body[:size]
        assert len(read_reply(wire[: end - 1], CAP).body) < size


@given(_messages(), st.integers(0, 300))
def test_the_cap_counts_the_body_without_its_transfer_coding(message, cap):
    wire, body, _ = message
    reply = read_reply(wire, cap, closed=True)
    assert reply.body == body[:cap]
    assert reply.state is (State.OVER if len(body) > cap else State.WHOLE)


@pytest.mark.parametrize(
    ("wire", "state", "oddities"),
    [
        (b"", State.NO_HEAD, ()),
        (OK + b"Content-Length: 2\r\n", State.NO_HEAD, ()),
        (OK + b"Content-Length: 3\r\n\r\nab", State.BODY_OPEN, ()),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", State.BODY_OPEN, ()),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n", State.BODY_OPEN, ()),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nabX\r\n0\r\n\r\n", State.ILLEGAL, ()),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", State.ILLEGAL, ()),
        (OK + b"Transfer-Encoding: gzip\r\n\r\n", State.ILLEGAL, ()),
        (OK + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\nab", State.WHOLE, ("length_repeated",)),
        (OK + b"Content-Length: 2, 2\r\n\r\nab", State.WHOLE, ("length_repeated",)),
        (OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nab", State.ILLEGAL, ()),
        (OK + b"Content-Length: -1\r\n\r\nab", State.ILLEGAL, ()),
        (
            OK + b"Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            State.WHOLE,
            ("length_beside_chunked",),
        ),
        (OK + b"X: a\r\n b\r\nContent-Length: 0\r\n\r\n", State.WHOLE, ("folded_header",)),
        (b"HTTP/1.1 200 OK\nContent-Length: 0\n\n", State.WHOLE, ("bare_newline",)),
        (b"HTTP/2 200\r\n\r\n", State.ILLEGAL, ()),
        (b"ICY 200 OK\r\n\r\n", State.ILLEGAL, ()),
        (b"<html>nothing of HTTP</html>\r\n\r\n", State.ILLEGAL, ()),
        (b"\x15\x03\x01\x00\x02\x02F", State.ILLEGAL, ()),
        (b"HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nab", State.WHOLE, ()),
        (b"HTTP/1.1 100 Go on\r\n\r\n" * (INTERIM_MAX + 1), State.ILLEGAL, ()),
        (OK + b"X: " + b"a" * HEAD_BYTES_MAX + b"\r\n\r\n", State.ILLEGAL, ()),
        (OK + b"X: " + b"a" * (HEAD_BYTES_MAX + 9), State.ILLEGAL, ()),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"a" * HEAD_BYTES_MAX, State.ILLEGAL, ()),
    ],
)
def test_what_is_not_by_the_rules_is_told_apart(wire, state, oddities):
    reply = read_reply(wire, CAP)
    assert (reply.state, reply.oddities) == (state, oddities)


def test_bytes_after_the_end_are_counted():
    assert read_reply(OK + b"Content-Length: 2\r\n\r\nabcde", CAP).extra == 3


def test_a_body_without_a_length_ends_with_the_connection():
    wire = OK + b"\r\nabc"
    assert read_reply(wire, CAP).state is State.BODY_OPEN
    assert read_reply(wire, CAP, closed=True).whole
    assert not read_reply(OK + b"Content-Length: 9\r\n\r\nabc", CAP, closed=True).whole


def test_headers_are_found_by_any_case_and_joined():
    reply = read_reply(OK + b"X-A: 1\r\nx-a: 2\r\nContent-Length: 0\r\n\r\n", CAP)
    assert reply.header("X-a") == "1, 2"
    assert reply.header("none") == ""


def test_an_arrival_is_of_the_stamp_that_brought_the_last_byte():
    at = ((10, 5), (20, 9))
    assert [arrived_us(at, size) for size in (0, 1, 10, 11, 20)] == [5, 5, 5, 9, 9]
    assert isinstance(arrived_us(at, 21), NotMeasured)


def _bare(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


CODINGS = {
    "gzip": gzip.compress,
    "x-gzip": lambda body: gzip.compress(body[:3], mtime=0) + gzip.compress(body[3:], mtime=0),
    "deflate": zlib.compress,
    "Deflate": _bare,
    "gzip, identity, deflate": lambda body: zlib.compress(gzip.compress(body, mtime=0)),
    "identity": bytes,
}


def _coded(coding: str, body: bytes) -> bytes:
    return OK + b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (coding.encode(), len(body)) + body


@given(st.sampled_from(sorted(CODINGS)), _body, _cuts)
def test_content_codings_are_removed_however_they_are_cut(coding, body, cuts):
    packed = CODINGS[coding](body)
    found = decoded(read_reply(_coded(coding, packed), CAP), CAP)
    assert (found.data, found.bad_encoding, found.over) == (body, False, False)
    unpack, got = Unpacker(coding, CAP), b""
    ends = sorted({min(cut, len(packed)) for cut in cuts})
    for start, stop in zip([0, *ends], [*ends, len(packed)], strict=True):
        got += unpack.feed(packed[start:stop])
    assert got == body


@given(st.sampled_from(sorted(CODINGS)), st.binary(min_size=1, max_size=300), st.integers(0, 300))
@example("gzip, identity, deflate", b"x", 1)
def test_what_is_decoded_is_capped(coding, body, cap):
    found = decoded(read_reply(_coded(coding, CODINGS[coding](body)), CAP), cap)
    assert found.data == body[:cap]
    assert found.over is (len(body) > cap)


def test_a_small_body_that_unpacks_to_a_large_one_costs_no_memory():
    found = decoded(read_reply(_coded("gzip", gzip.compress(bytes(50_000_000))), 10**6), 1000)
    assert (len(found.data), found.over, found.bad_encoding) == (1000, True, False)


@pytest.mark.parametrize(
    ("coding", "body", "bad"),
    [
        ("gzip", b'{"plain": true}', True),
        ("gzip", gzip.compress(b"abc", mtime=0)[:-3], True),
        ("gzip", gzip.compress(b"abc", mtime=0) + b"junk", True),
        ("deflate", zlib.compress(b"abc") + b"junk", True),
        ("br", b"\x0b\x02\x80abc\x03", True),
        ("gzip, gzip, gzip, gzip", b"x", True),
        ("gzip", b"", False),
    ],
)
def test_a_label_that_the_bytes_give_the_lie_to(coding, body, bad):
    assert decoded(read_reply(_coded(coding, body), CAP), CAP).bad_encoding is bad


def test_a_cut_message_is_not_blamed_for_its_coding():
    wire = _coded("gzip", gzip.compress(b"abc" * 99, mtime=0))[:-4]
    assert not decoded(read_reply(wire, CAP), CAP).bad_encoding


def test_a_decoded_byte_knows_how_much_of_the_coded_body_it_needed():
    body = bytes(range(256)) * 20
    reply = read_reply(_coded("gzip", gzip.compress(body, 0, mtime=0)), 10**6)
    found = decoded(reply, 10**6)
    assert [found.coded_size(size) for size in (0, 1)] == [0, 512]
    assert found.coded_size(len(body)) <= len(reply.body)
