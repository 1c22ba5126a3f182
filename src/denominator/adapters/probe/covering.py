"""Covers a key that an endpoint sent back, before anything is kept or read.

It is looked for in the bytes as sent, in the body (chunks may lie across it), in texts that a stream sends in pieces, and
below a content coding. Covered bytes are asterisks, so that every length and place stays. Only a coded body cannot be
covered in place: it is written anew without its coding. What cannot be looked into is not kept.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from denominator.adapters.probe.key_forms import KeyFinder
from denominator.wire.http_coding import Decoded, decoded
from denominator.wire.http_reply import HttpReply, read_reply

TEXT = re.compile(rb'"([A-Za-z_]{1,64})"\s{0,8}:\s{0,8}"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
DROPPED = ("content-encoding", "content-length", "transfer-encoding")
REWRITTEN = b"X-Denominator-Rewritten: content coding removed to cover the key"
Stamps = tuple[tuple[int, int], ...]
Spans = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Covered:
    """What may be kept: bytes without the key, stamps that fit them, and whether there was anything to cover."""

    wire: bytes
    at: Stamps
    echoed: bool


def cover(wire: bytes, at: Stamps, key: KeyFinder, body_max: int, *, closed: bool) -> Covered:
    """Bytes of an answer without the key. `body_max` and `closed` as in `read_reply`."""
    if not key.key:
        return Covered(wire, at, False)
    found = _below_coding(wire, at, key, body_max, closed=closed)
    kept, bare = _starred(found.wire, key.spans(found.wire))
    # A cap as high as the bytes are many: what lies behind the body's own cap is kept too.
    reply = read_reply(kept, len(kept), closed=closed)
    kept, pieces = _starred(kept, _in_wire(reply, _spans(reply.body, key)))
    return Covered(kept, found.at, found.echoed or bare or pieces)


def _below_coding(wire: bytes, at: Stamps, key: KeyFinder, body_max: int, *, closed: bool) -> Covered:
    """A body without a content coding is left as it is."""
    reply = read_reply(wire, len(wire), closed=closed)
    plain = decoded(reply, body_max)
    spans = list(_spans(plain.data, key)) if plain.coded else []
    if not plain.coded or not (spans or plain.over or (plain.bad_encoding and not _is_text(reply.body))):
        return Covered(wire, at, False)
    if plain.over and not spans:
        # Nobody looked at what lies past the cap, so what it would be decoded from is not kept.
        seen = reply.wire_size(plain.places[-1][1]) if plain.places else len(wire) - len(reply.body)
        return Covered(wire[:seen], _until(at, seen), False)
    if plain.over or plain.bad_encoding:
        return Covered(_starred(wire, _in_wire(reply, [(0, len(reply.body))]))[0], at, bool(spans))
    return _uncoded(wire, at, reply, plain, _starred(plain.data, spans)[0])


def _uncoded(wire: bytes, at: Stamps, reply: HttpReply, plain: Decoded, body: bytes) -> Covered:
    """The same answer without its content coding; one that was cut stays cut."""
    kept = [(name, value) for name, value in reply.headers if name not in DROPPED]
    lines = [reply.head.split(b"\n")[0].rstrip(b"\r"), *(f"{name}: {value}".encode("latin-1") for name, value in kept)]
    lines += [b"Content-Length: %d" % (len(body) + (not reply.whole)), REWRITTEN, b"", b""]
    head = wire[: wire.find(reply.head)] + b"\r\n".join(lines)
    needs = [reply.wire_size(coded) for _, coded in plain.places]
    stamps: dict[int, int] = {}
    for size, us in at:
        step = bisect_right(needs, size)
        whole_head = size >= reply.wire_size(1)
        stamps.setdefault(
            len(head) + plain.places[step - 1][0] if step else min(size, len(head) - (not whole_head)), us
        )
    stamps.setdefault(len(head) + len(body), at[-1][1])
    return Covered(head + body, tuple(sorted(stamps.items())), True)


def _spans(body: bytes, key: KeyFinder) -> Iterator[tuple[int, int]]:
    """Where the key stands in a body, also in pieces: texts of one member name that follow each other."""
    yield from key.spans(body)
    pieces: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
    for match in TEXT.finditer(body):
        pieces[match[1]].append(match.span(2))
    for spans in pieces.values():
        if len(spans) > 1:
            yield from _across(body, spans, key)


def _across(body: bytes, spans: list[tuple[int, int]], key: KeyFinder) -> Iterator[tuple[int, int]]:
    whole = b"".join(body[start:stop] for start, stop in spans)
    for begin, end in key.spans(whole):
        at = 0
        for start, stop in spans:
            first, last = max(begin - at, 0), min(end - at, stop - start)
            if first < last:
                yield start + first, start + last
            at += stop - start


def _in_wire(reply: HttpReply, spans: Spans) -> Iterator[tuple[int, int]]:
    """Places of the body as places of the wire: chunks may lie between any two bytes."""
    begins = [begin for begin, _ in reply.places]
    ends = [*begins[1:], len(reply.body)]
    for start, stop in spans:
        for piece in range(max(bisect_right(begins, start) - 1, 0), len(begins)):
            begin, place = reply.places[piece]
            if begin >= stop:
                break
            yield place + max(start, begin) - begin, place + min(stop, ends[piece]) - begin


def _starred(data: bytes, spans: Spans) -> tuple[bytes, bool]:
    out, found = bytearray(data), False
    for start, stop in spans:
        out[start:stop] = b"*" * (stop - start)
        found = True
    return bytes(out), found


def _until(at: Stamps, size: int) -> Stamps:
    """The stamps of the first `size` bytes."""
    kept: dict[int, int] = {}
    for each, us in at:
        kept.setdefault(min(each, size), us)
    return tuple(kept.items())


def _is_text(body: bytes) -> bool:
    """Is it no more coded than its label says it is? Then it was looked at as it is."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
