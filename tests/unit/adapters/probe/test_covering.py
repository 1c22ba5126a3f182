"""A key that comes back is nowhere in what is kept, however it is spelled and cut, and the answer stays readable."""

from __future__ import annotations

import base64
import gzip
import json
import re
import zlib
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.probe.covering import cover
from denominator.adapters.probe.key_forms import KeyFinder
from denominator.wire.http_coding import decoded
from denominator.wire.http_reply import State, arrived_us, read_reply
from probe_server import OK, answer, chunk

KEY = "sk-Canary/0123+456=789"
CAP = 100_000


def covered(wire, key=KEY, at=None, *, closed=True, cap=CAP):
    return cover(wire, at or ((len(wire), 7),), KeyFinder(key), cap, closed=closed)


def body_of(kept):
    reply = read_reply(kept.wire, CAP, closed=True)
    return decoded(reply, CAP).data


SPELLINGS = {
    "plain": KEY,
    "capitals": KEY.upper(),
    "for JSON": KEY.replace("/", "\\/"),
    "by numbers": "".join(f"\\u{ord(one):04x}" for one in KEY),
    "by capital numbers": "".join(f"\\u{ord(one):04X}" for one in KEY),
    "for a URL": quote(KEY, safe=""),
    "for a URL in a URL": quote(quote(KEY, safe=""), safe=""),
    "for HTML": KEY.replace("/", "&#x2F;").replace("+", "&#43;").replace("=", "&#061;"),
    "hexadecimal": KEY.encode().hex(),
    **{f"base64+{n}": base64.b64encode(b"x" * n + KEY.encode() + b"y").decode() for n in range(4)},
    "base64 for URLs": base64.urlsafe_b64encode(b"Bearer " + KEY.encode()).decode(),
}


def left(text: bytes) -> bool:
    """Is the key still to be had from it?"""
    decoded_forms = [text, text.replace(b"\\/", b"/")]
    for size in range(4):
        for alphabet in (b"+/", b"-_"):
            run = re.sub(rb"[^A-Za-z0-9" + re.escape(alphabet) + rb"]", b"", text)[size:]
            decoded_forms.append(base64.b64decode(run[: len(run) // 4 * 4], alphabet))
    return any(KEY.lower().encode() in form.lower() for form in decoded_forms)


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
def test_every_spelling_is_covered_in_place(spelled):
    wire = answer(f'{{"error": "no such key: {spelled}."}}'.encode(), extra=b"X-Echo: " + spelled.encode() + b"\r\n")
    kept = covered(wire)
    assert kept.echoed
    assert len(kept.wire) == len(wire)
    assert read_reply(kept.wire, CAP).whole
    assert not left(kept.wire)
    assert len(re.findall(rb"\*{20,}", kept.wire)) == 2


def test_an_answer_without_it_is_left_alone():
    wire = answer(b'{"a": "sk-Canary"}')
    assert (covered(wire).wire, covered(wire).echoed) == (wire, False)
    assert covered(wire, key="").wire == wire


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_chunks_that_cut_it_hide_nothing(sizes):
    body, parts, at = b'{"error": "' + KEY.encode() + b'"}', [], 0
    while at < len(body):
        size = sizes[len(parts) % len(sizes)]
        parts.append(chunk(body[at : at + size]))
        at += size
    wire = OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(parts) + b"0\r\n\r\n"
    kept = covered(wire)
    assert kept.echoed
    assert body_of(kept) == b'{"error": "' + b"*" * len(KEY) + b'"}'


@given(st.integers(1, 9), st.sampled_from(["content", "arguments", "reasoning_content"]))
def test_events_that_cut_it_hide_nothing(size, name):
    text = f"the key is {KEY} indeed"
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    body = "".join(f"data: {json.dumps({'choices': [{'delta': {name: each}}]})}\n\n" for each in pieces).encode()
    kept = covered(answer(body, kind="text/event-stream"))
    assert kept.echoed
    events = [json.loads(line[6:]) for line in body_of(kept).decode().splitlines() if line]
    assert "".join(one["choices"][0]["delta"][name] for one in events) == text.replace(KEY, "*" * len(KEY))


def coded(body, coding="gzip", short=0):
    packed = gzip.compress(body, 0) if coding == "gzip" else zlib.compress(body)
    head = f"Content-Encoding: {coding}\r\nContent-Length: {len(packed)}\r\n\r\n".encode()
    return OK + b"X-A: b\r\n" + head + packed[: len(packed) - short]


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_below_a_coding_the_answer_is_written_anew(coding):
    body = json.dumps({"error": KEY, "rest": "x" * 3000}).encode()
    wire = coded(body, coding)
    at = ((40, 1), (len(wire) // 2, 2), (len(wire), 3))
    kept = covered(wire, at=at)
    reply = read_reply(kept.wire, CAP)
    assert kept.echoed
    assert reply.whole
    assert reply.header("x-a") == "b"
    assert reply.body == body.replace(KEY.encode(), b"*" * len(KEY))
    assert kept.at[-1] == (len(kept.wire), 3)
    assert [us for _, us in kept.at] == [1, 2, 3][-len(kept.at) :]
    assert arrived_us(kept.at, reply.wire_size(1)) in (2, 3)


def test_an_oddly_written_head_is_written_anew_too():
    body = json.dumps({"error": KEY}).encode()
    packed = gzip.compress(body)
    head = b"HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 200 OK\nX-A: b\n c\nContent-Encoding:\n gzip\nContent-Length: %d\n\n"
    reply = read_reply(covered(head % len(packed) + packed).wire, CAP)
    assert (reply.interim, reply.whole, reply.header("x-a"), reply.header("content-encoding")) == (1, True, "b c", "")
    assert reply.body == body.replace(KEY.encode(), b"*" * len(KEY))


def test_a_coded_answer_that_was_cut_stays_cut():
    kept = covered(coded(json.dumps({"error": KEY, "rest": "x" * 3000}).encode(), short=2000), closed=False)
    assert not left(kept.wire)
    assert read_reply(kept.wire, CAP).state is State.BODY_OPEN


def test_a_coded_answer_that_is_broken_stays_broken_and_shows_nothing():
    wire = bytearray(coded(KEY.encode() * 50))
    wire[-1] ^= 255
    kept = covered(bytes(wire))
    assert kept.echoed
    assert not left(kept.wire)
    assert decoded(read_reply(kept.wire, CAP), CAP).bad_encoding


def test_what_unpacks_past_the_cap_is_kept_as_far_as_it_was_looked_at():
    wire = coded(b"x" * 300_000 + KEY.encode())
    kept = covered(wire)
    assert KEY.encode() not in kept.wire
    assert len(kept.wire) < 110_000
    assert kept.at[-1] == (len(kept.wire), 7)


def test_what_cannot_be_looked_into_is_not_kept():
    wire = OK + b"Content-Encoding: br\r\nContent-Length: 4\r\n\r\n\xff\xfe\x00\x01"
    assert covered(wire).wire.endswith(b"****")
    assert covered(wire, key="").wire == wire
    assert covered(OK + b"Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}").wire.endswith(b"{}")


@given(st.binary(max_size=300), st.booleans())
def test_no_bytes_raise_and_no_length_changes_without_a_coding(raw, closed):
    wire = OK + raw
    kept = covered(wire, key="abcdefgh", closed=closed)
    assert len(kept.wire) == len(wire) or b"ncoding" in raw
    coded_wire = OK + b"Content-Encoding: gzip\r\n\r\n" + raw
    covered(coded_wire, key="abcdefgh", closed=closed)
