"""Rows of what goes wrong, or looks so, below the answer: heads, framing, drips, codings, status."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

from e2e.probe_answers import (
    BODY,
    DONE,
    JSON,
    LENGTH,
    SAY,
    SAY_STREAM,
    SSE,
    TYPE,
    WHOLE,
    WRONG,
    Row,
    answer,
    bad,
    chunked,
    heads,
    ok,
    plain,
    stream,
    wire,
)

HEAD = heads(TYPE, LENGTH)
SQUEEZED = zlib.compressobj(wbits=-15)
BARE = SQUEEZED.compress(BODY) + SQUEEZED.flush()


def coded(data: bytes, coding: str) -> dict[str, Any]:
    """A body with a label of its coding."""
    return answer(data, headers=[*JSON, ["content-encoding", coding]])


def flushed() -> list[bytes]:
    """A stream in one gzip body whose pieces can be read as they come; the last one is gzip's own end."""
    pack = zlib.compressobj(wbits=31)
    parts = [pack.compress(one.encode()) + pack.flush(zlib.Z_SYNC_FLUSH) for one in WHOLE]
    return [*parts, pack.flush()]


WIRE_ROWS: tuple[Row, ...] = (
    ok("early-hints", SAY, wire(heads("Link: </x>", first="HTTP/1.1 103 Early Hints") + heads(TYPE, LENGTH) + BODY)),
    ok("continue-twice", SAY, wire(heads(first="HTTP/1.1 100 Continue") * 2 + heads(TYPE, LENGTH) + BODY)),
    ok(
        "processing-then-late",
        SAY,
        wire(
            heads(first="HTTP/1.1 102 Processing"),
            (300, heads(first="HTTP/1.1 102 Processing")),
            (300, heads(TYPE, LENGTH) + BODY),
        ),
    ),
    ok("http10-eof", SAY, wire(heads(TYPE, first="HTTP/1.0 200 OK") + BODY)),
    ok("eof-body", SAY, wire(heads(TYPE, "Connection: close") + BODY)),
    bad(
        "header-drip-endless",
        SAY,
        wire(b"HTTP/1.1 200 OK\r\n", (200, b"X-A: b\r\n", 40, 200), close="hang"),
        "timeout",
        "total_deadline",
    ),
    ok("mixed-case-heads", SAY, wire(heads("CONTENT-TYPE: Application/JSON; Charset=UTF-8", LENGTH.swapcase()) + BODY)),
    ok("length-twice-same", SAY, wire(heads(TYPE, LENGTH, LENGTH) + BODY)),
    bad(
        "length-twice-other",
        SAY,
        wire(heads(TYPE, LENGTH, "Content-Length: 3") + BODY),
        "transport_error",
        "bad_framing",
    ),
    ok("length-and-chunked", SAY, wire(heads(TYPE, "Content-Length: 4", "Transfer-Encoding: chunked") + chunked(BODY))),
    ok(
        "chunk-extensions",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked") + chunked(BODY[:50], BODY[50:], extension=';a=b;c="d e"')),
    ),
    ok(
        "trailers",
        SAY,
        wire(
            heads(TYPE, "Transfer-Encoding: chunked", "Trailer: X-Time") + chunked(BODY, last="0\r\nX-Time: 3\r\n\r\n")
        ),
    ),
    ok(
        "chunk-size-zeros",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: Chunked") + b"000" + chunked(BODY)),
    ),
    bad(
        "chunk-size-words",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked") + b"zz\r\n" + BODY + b"\r\n0\r\n\r\n"),
        "transport_error",
        "bad_framing",
    ),
    bad(
        "chunk-too-short",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked") + b"5\r\n" + BODY + b"\r\n0\r\n\r\n"),
        "transport_error",
        "bad_framing",
    ),
    bad(
        "chunk-ends-early",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked") + chunked(BODY, last="")),
        "transport_error",
        "incomplete_body",
    ),
    ok("no-content-type", SAY, wire(heads(LENGTH) + BODY)),
    ok("no-content-type-stream", SAY_STREAM, wire(heads("Transfer-Encoding: chunked") + chunked(*WHOLE))),
    ok("text-plain", SAY, answer(plain(), headers=[["content-type", "text/plain; charset=utf-8"]])),
    ok("stream-json-label", SAY_STREAM, stream(*WHOLE, headers=JSON)),
    ok("stream-plain-label", SAY_STREAM, stream(*WHOLE, headers=[["content-type", "text/plain"]])),
    ok(
        "stream-label-charset",
        SAY_STREAM,
        stream(*WHOLE, headers=[["content-type", "Text/Event-Stream;charset=UTF-8"]]),
    ),
    ok("document-sse-label", SAY, answer(plain(), headers=SSE)),
    ok("leading-newlines-stream", SAY_STREAM, stream("\n\n\r\n\r\n", *WHOLE)),
    ok("folded-head", SAY, wire(heads(TYPE, "X-A: one", "  two", LENGTH) + BODY)),
    ok(
        "many-cookies",
        SAY,
        wire(heads(*[f"Set-Cookie: a{i}=" + "x" * 300 for i in range(60)], "CF-RAY: 8", TYPE, LENGTH) + BODY),
    ),
    bad("space-before-colon", SAY, wire(heads("X-A : b", TYPE, LENGTH) + BODY), "transport_error", "bad_framing"),
    bad(
        "http2-preface",
        SAY,
        wire(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80"),
        "transport_error",
        "bad_framing",
    ),
    bad("http09", SAY, wire(BODY), "transport_error", "bad_framing"),
    bad("html-without-head", SAY, wire(b"<html><body>502 Bad Gateway</body></html>"), "transport_error", "bad_framing"),
    bad("tls-alert", SAY, wire(b"\x15\x03\x01\x00\x02\x02\x46"), "transport_error", "bad_framing"),
    bad("length-not-a-number", SAY, wire(heads(TYPE, "Content-Length: abc") + BODY), "transport_error", "bad_framing"),
    bad("length-negative", SAY, wire(heads(TYPE, "Content-Length: -1") + BODY), "transport_error", "bad_framing"),
    bad("length-zero", SAY, wire(heads(TYPE, "Content-Length: 0") + BODY), "envelope_error", "empty_body"),
    bad(
        "length-short-of-body",
        SAY,
        wire(heads(TYPE, f"Content-Length: {len(BODY) - 9}") + BODY),
        "envelope_error",
        "not_json",
    ),
    ok("bytes-behind", SAY, wire(HEAD + BODY + b"HTTP/1.1 400 Bad Request\r\n\r\n")),
    bad("fin-in-head", SAY, wire(HEAD[:30]), "transport_error", "incomplete_body"),
    bad("reset-in-head", SAY, wire(HEAD[:30], (50, b""), close="reset"), "transport_error", "reset"),
    bad("reset-at-once", SAY, wire(close="reset"), "transport_error", "reset"),
    ok("reset-behind-whole", SAY, wire(HEAD + BODY, (80, b""), close="reset")),
    bad("reset-behind-head", SAY, wire(HEAD, (50, b""), close="reset"), "transport_error", "reset"),
    bad("fin-behind-head", SAY, wire(HEAD), "transport_error", "incomplete_body"),
    bad(
        "switching-protocols",
        SAY,
        wire(
            heads("Upgrade: websocket", "Connection: Upgrade", first="HTTP/1.1 101 Switching Protocols"), close="hang"
        ),
        "transport_error",
        "bad_framing",
    ),
    bad(
        "5xx-cut",
        SAY,
        wire(heads("Content-Length: 500", first="HTTP/1.1 502 Bad Gateway") + b"<html>"),
        "transport_error",
        "incomplete_body",
    ),
    ok("deflate-zlib", SAY, coded(zlib.compress(BODY), "deflate")),
    ok("deflate-bare", SAY, coded(BARE, "deflate")),
    ok("x-gzip", SAY, coded(gzip.compress(BODY), "x-gzip")),
    ok("gzip-upper", SAY, coded(gzip.compress(BODY), "GZIP")),
    ok("identity-label", SAY, coded(BODY, "identity")),
    ok("empty-coding-label", SAY, coded(BODY, "")),
    ok("gzip-twice", SAY, coded(gzip.compress(gzip.compress(BODY)), "gzip, gzip")),
    bad("brotli", SAY, coded(bytes.fromhex("8b0780") + BODY + b"\x03", "br"), "transport_error", "bad_encoding"),
    bad("zstd", SAY, coded(bytes.fromhex("28b52ffd") + BODY, "zstd"), "transport_error", "bad_encoding"),
    bad("gzip-unlabelled", SAY, answer(gzip.compress(BODY)), "envelope_error", "not_utf8"),
    bad("gzip-bomb", SAY, coded(gzip.compress(b" " * (40 << 20) + BODY), "gzip"), "oversize_body", "body_cap"),
    bad("gzip-crc", SAY, coded(gzip.compress(BODY)[:-8] + b"\0" * 8, "gzip"), "transport_error", "bad_encoding"),
    ok(
        "stream-gzip",
        SAY_STREAM,
        stream(gzip.compress("".join(WHOLE).encode()), headers=[*SSE, ["content-encoding", "gzip"]]),
    ),
    ok("stream-gzip-flushed", SAY_STREAM, stream(*flushed(), headers=[*SSE, ["content-encoding", "gzip"]])),
    ok(
        "stream-gzip-no-trailer",
        SAY_STREAM,
        stream(*flushed()[:-1], headers=[*SSE, ["content-encoding", "gzip"]], close="hang"),
    ),
    ok(
        "wrong-400-gzip",
        WRONG,
        answer(gzip.compress(b'{"error":{"message":"no","type":"x"}}'), 400, [*JSON, ["content-encoding", "gzip"]]),
    ),
    bad("s205", SAY, answer("", 205), "http_error", "other_status"),
    bad("s304", SAY, wire(heads("ETag: x", first="HTTP/1.1 304 Not Modified")), "http_error", "redirect"),
    bad("stream-429", SAY_STREAM, answer({"error": {"message": "slow"}}, 429), "http_error", "rate_limited"),
    bad(
        "stream-500-sse",
        SAY_STREAM,
        stream('data: {"error":{"message":"x"}}\n\n', DONE) | {"status": 500},
        "http_error",
        "5xx",
    ),
    ok(
        "keepalive-chunk-then-body",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked"), b"1\r\n \r\n", (300, b"1\r\n \r\n"), (300, chunked(BODY))),
    ),
    ok("header-names-odd", SAY, wire(heads("x_under_score: 1", "X!#$%&'*+-.^_`|~: y", TYPE, LENGTH) + BODY)),
    ok("content-type-twice", SAY, wire(heads(TYPE, "Content-Type: text/html", LENGTH) + BODY)),
    ok(
        "keep-alive-len-hang",
        SAY,
        wire(heads(TYPE, LENGTH, "Connection: keep-alive", "Keep-Alive: timeout=5") + BODY, close="hang"),
    ),
    ok("length-list", SAY, wire(heads(TYPE, f"{LENGTH}, {len(BODY)}") + BODY)),
    bad("length-list-diff", SAY, wire(heads(TYPE, f"{LENGTH}, 3") + BODY), "transport_error", "bad_framing"),
    bad("no-colon", SAY, wire(heads("garbage line", TYPE, LENGTH) + BODY), "transport_error", "bad_framing"),
    bad("http2-version", SAY, wire(heads(TYPE, LENGTH, first="HTTP/2 200") + BODY), "transport_error", "bad_framing"),
    bad(
        "status-two-digits",
        SAY,
        wire(heads(TYPE, LENGTH, first="HTTP/1.1 20 OK") + BODY),
        "transport_error",
        "bad_framing",
    ),
    bad("nul-in-head", SAY, wire(heads("X: a\0b", TYPE, LENGTH) + BODY), "transport_error", "bad_framing"),
    bad(
        "te-gzip-chunked",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: gzip, chunked") + chunked(gzip.compress(BODY))),
        "transport_error",
        "bad_framing",
    ),
    bad(
        "http10-chunked",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked", first="HTTP/1.0 200 OK") + chunked(BODY)),
        "pass",
        "",
    ),
    bad("big-head", SAY, wire(heads("X-Big: " + "a" * 200000, TYPE, LENGTH) + BODY), "transport_error", "bad_framing"),
    bad(
        "many-heads",
        SAY,
        wire(heads(*[f"X-{i}: " + "a" * 90 for i in range(2000)], TYPE, LENGTH) + BODY),
        "transport_error",
        "bad_framing",
    ),
    bad("leading-crlf", SAY, wire(b"\r\n" + HEAD + BODY), "transport_error", "bad_framing"),
    bad(
        "early-hints-cut",
        SAY,
        wire(heads("Link: x", first="HTTP/1.1 103 Early Hints")),
        "transport_error",
        "incomplete_body",
    ),
    bad(
        "continue-then-reset",
        SAY,
        wire(heads(first="HTTP/1.1 100 Continue"), (80, b""), close="reset"),
        "transport_error",
        "reset",
    ),
    bad(
        "continue-4xx",
        SAY,
        wire(heads(first="HTTP/1.1 100 Continue") + heads("Content-Length: 0", first="HTTP/1.1 404 Not Found")),
        "http_error",
        "4xx",
    ),
    bad(
        "chunk-negative",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked") + b"-5\r\n" + BODY),
        "transport_error",
        "bad_framing",
    ),
    bad(
        "chunk-huge",
        SAY,
        wire(heads(TYPE, "Transfer-Encoding: chunked") + b"FFFFFFFFFFFFFFFF\r\n" + BODY),
        "transport_error",
        "incomplete_body",
    ),
    ok("cookies-continue", SAY, wire(heads(first="HTTP/1.1 102 Processing") + heads(TYPE, LENGTH) + BODY)),
    bad("redirect-json", SAY, answer(plain(), 307, [*JSON, ["location", "/v2"]]), "http_error", "redirect"),
    *(
        bad(f"status-{code}", SAY, answer({"error": {"message": "x"}}, code), "http_error", "4xx")
        for code in (400, 402, 408, 413, 425, 499)
    ),
    *(
        bad(f"status-{code}", SAY, answer("<html>", code), "http_error", "5xx")
        for code in (500, 504, 520, 524, 530, 599)
    ),
    *(bad(f"status-{code}", SAY, answer(plain(), code), "http_error", "other_status") for code in (203, 206, 299, 600)),
    *(
        bad(f"status-{code}", SAY, answer("", code, [["location", "/"]]), "http_error", "redirect")
        for code in (300, 303)
    ),
    *(
        bad(
            f"wait-{at}", SAY, answer({"error": {}}, 429, [*JSON, ["retry-after", value]]), "http_error", "rate_limited"
        )
        for at, value in enumerate(("1.5", "-1", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "2026-11-30T00:00:00Z", ""))
    ),
)
