"""Objects of a git repository by their bytes alone: loose ones and packs. git itself is not started."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator

from denominator.packs.audit.unpacked import Piece

OBJECT_BYTES_MAX = 64 << 20
CACHE_BYTES_MAX = 128 << 20
WHOLE_BYTES_MAX = 4 << 30
KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
OFFSET, NAME = 6, 7


class PackError(Exception):
    """These bytes are no pack, or a broken one."""


def loose(where: str, data: bytes) -> Iterator[Piece]:
    """The object that a file of .git/objects/ab/ holds."""
    try:
        plain = zlib.decompressobj().decompress(data, OBJECT_BYTES_MAX)
    except zlib.error as error:
        yield Piece(where, unread=f"no git object: {error}")
        return
    head, mark, body = plain.partition(b"\0")
    if not mark or len(plain) >= OBJECT_BYTES_MAX:
        yield Piece(where, unread="no git object, or one that is too large")
        return
    kind = head.partition(b" ")[0].decode("ascii", "replace")
    yield Piece(f"{where} (git {kind})", body)


def packed(where: str, data: bytes) -> Iterator[Piece]:
    """Every object of a pack, deltas applied. What cannot be read is told once, at its place."""
    if data[:4] != b"PACK" or len(data) < 32:
        yield Piece(where, unread="no git pack")
        return
    pack = _Pack(data)
    at, number, whole = 12, int.from_bytes(data[8:12], "big"), 0
    for index in range(number):
        try:
            kind, body, after = pack.object_at(at)
        except (PackError, zlib.error, IndexError) as error:
            yield Piece(where, unread=f"object {index + 1} of {number} of the pack cannot be read: {error}")
            return
        whole += len(body)
        if whole > WHOLE_BYTES_MAX:
            yield Piece(
                where, unread=f"{index} of {number} objects of the pack read: more than {WHOLE_BYTES_MAX >> 30} GiB"
            )
            return
        name = hashlib.sha1(f"{kind} {len(body)}\0".encode() + body, usedforsecurity=False)
        pack.names[name.digest()] = at
        yield Piece(f"{where} (git {kind} {name.hexdigest()[:12]})", body)
        at = after


class _Pack:
    """Objects by offset, with those that were read lately."""

    def __init__(self, data: bytes) -> None:
        self.data, self.names = data, dict[bytes, int]()
        self.cache, self.kept = dict[int, tuple[str, bytes, int]](), 0

    def object_at(self, at: int) -> tuple[str, bytes, int]:
        """(kind, bytes, where the next one begins). The chain of deltas is followed in a loop, for it may be long."""
        chain: list[tuple[int, bytes, int]] = []
        place, end = at, 0
        while place not in self.cache:
            number, base, body, after = self._entry(place)
            end = end or after
            if number in KINDS:
                self._keep(place, (KINDS[number], body, after))
                break
            chain.append((place, body, after))
            if not 12 <= base < place or len(chain) > 10_000:
                raise PackError("a delta has no base in this pack")
            place = base
        kind, body, after = self.cache[place]
        for where, delta, after in reversed(chain):
            body = _applied(body, delta)
            self._keep(where, (kind, body, after))
        return kind, body, end or after

    def _keep(self, at: int, told: tuple[str, bytes, int]) -> None:
        if self.kept > CACHE_BYTES_MAX:
            self.cache.clear()
            self.kept = 0
        self.cache[at] = told
        self.kept += len(told[1])

    def _entry(self, at: int) -> tuple[int, int, bytes, int]:
        data = self.data
        byte = data[at]
        number, size, shift, here = (byte >> 4) & 7, byte & 15, 4, at + 1
        while byte & 128:
            byte = data[here]
            size, shift, here = size | (byte & 127) << shift, shift + 7, here + 1
            if shift > 63:
                raise PackError("a size without end")
        base = 0
        if number == OFFSET:
            byte = data[here]
            back, here = byte & 127, here + 1
            while byte & 128:
                byte = data[here]
                back, here = (back + 1) << 7 | byte & 127, here + 1
                if back > at:
                    raise PackError("a delta has no base in this pack")
            base = at - back
        elif number == NAME:
            base, here = self.names.get(data[here : here + 20], 0), here + 20
        elif number not in KINDS:
            raise PackError(f"an object of kind {number}")
        if size > OBJECT_BYTES_MAX:
            raise PackError(f"an object of {size >> 20} MiB")
        tool = zlib.decompressobj()
        view, body = memoryview(data)[here:], bytearray()
        used, step = 0, 1024
        while not tool.eof:
            step = min(2 * step, 65536)
            part = bytes(view[used : used + step])
            if not part:
                raise PackError("it ends too early")
            body += tool.decompress(part, OBJECT_BYTES_MAX + 1 - len(body))
            if len(body) > size or tool.unconsumed_tail:
                raise PackError("an object is longer than it says")
            used += len(part) - len(tool.unused_data)
        return number, base, bytes(body), here + used


def _applied(base: bytes, delta: bytes) -> bytes:
    _, at = _size(delta, 0)
    wanted, at = _size(delta, at)
    if wanted > OBJECT_BYTES_MAX:
        raise PackError(f"an object of {wanted >> 20} MiB")
    made = bytearray()
    while at < len(delta):
        order = delta[at]
        at += 1
        if order & 128:
            start = length = 0
            for bit in range(4):
                if order & 1 << bit:
                    start, at = start | delta[at] << 8 * bit, at + 1
            for bit in range(3):
                if order & 16 << bit:
                    length, at = length | delta[at] << 8 * bit, at + 1
            made += base[start : start + (length or 0x10000)]
        elif order:
            made += delta[at : at + order]
            at += order
        else:
            raise PackError("a delta says nothing")
        if len(made) > wanted:
            raise PackError("a delta makes more than it says")
    return bytes(made)


def _size(delta: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while True:
        byte = delta[at]
        size, shift, at = size | (byte & 127) << shift, shift + 7, at + 1
        if shift > 70:
            raise PackError("a size without end")
        if not byte & 128:
            return size, at
