"""Members as wholes, one after the other, each with its digest: a second process makes it while the next one is unpacked.

Digests and checksums take as long as unpacking. What is unpacked, and how much of it may be held, is decided here as for any
single member: the other process sees no packed byte. Few values wait at a time, and few bytes. Where there is no other
process, or it ends, the digests are made here, and nothing else changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from denominator.errors import InputError
from denominator.wire.sources.base import Source
from denominator.wire.sources.second import Second, Sums, sums_of

T = TypeVar("T")
S = TypeVar("S")
WAITING, WAITING_BYTES = 24, 4 << 20
"""No further value is read while so many, or more bytes than these, are not given out yet."""
ENOUGH_BYTES = 16 << 20
"""Before so many bytes were read, no second process is begun."""
SMALL = 1 << 14
"""Giving a smaller value away takes longer than digesting it."""

Read = Callable[[str, int], bytes]
Check = Callable[[str, int], None]
Look = Callable[[bytes, str], S]


class Whole(NamedTuple, Generic[S]):
    """A member, what was seen in it, and the sha256 of its bytes; where it cannot be read it has no bytes, and `fault` says why."""

    name: str
    seen: S | None
    data: bytes
    sha256: str
    fault: str = ""


class Digested(NamedTuple, Generic[T, S]):
    """A value with the sums of its bytes, what it is of, and what was seen in it."""

    of: T
    seen: S
    data: bytes
    sums: Sums


def wholes(source: Source, names: Iterable[str], most: int, look: Look[S]) -> Iterator[Whole[S]]:
    """Members of at most `most` bytes in the order of `names`. Nothing is raised for a member that is missing or damaged.

    `look` gets the bytes and the name of a member as soon as they are there, before anybody knows whether their checksum is
    right; what it sees in a damaged one is forgotten. It raises nothing.
    """
    read, check = _ways(source)
    known: dict[str, str] = getattr(source, "digests", {})
    values = (_read(read, name, most) for name in names)
    for (name, fault), seen, data, sums in digested(values, lambda of, data: None if of[1] else look(data, of[0])):
        if fault := fault or _fault(check, name, sums.crc):
            yield Whole(name, None, b"", sums_of(b"").sha256, fault)
        else:
            known[name] = sums.sha256
            yield Whole(name, seen, data, sums.sha256)


def digested(values: Iterable[tuple[T, bytes]], look: Callable[[T, bytes], S]) -> Iterator[Digested[T, S]]:
    """Each value in its order, with its sums and with what `look` sees in it while they are made.

    An InputError of `values` comes after everything that was before it.
    """
    line = _Line(look)
    given = iter(values)
    broken: InputError | None = None
    try:
        while broken is None:
            while line.due:
                yield line.first()
            try:
                line.add(*next(given))
            except StopIteration:
                break
            except InputError as error:
                broken = error
        while line.waiting:
            yield line.first()
    finally:
        line.close()
    if broken is not None:
        raise broken


def _read(read: Read, name: str, most: int) -> tuple[tuple[str, str], bytes]:
    try:
        return (name, ""), read(name, most)
    except InputError as error:
        return (name, error.what), b""


def _fault(check: Check, name: str, crc: int) -> str:
    try:
        check(name, crc)
    except InputError as error:
        return error.what
    return ""


def _ways(source: Source) -> tuple[Read, Check]:
    """How a member is read, and how the checksum of its bytes is looked at."""
    from denominator.wire.sources.archive import Archive

    return (source.unchecked, source.check) if isinstance(source, Archive) else (source.read, lambda _name, _crc: None)


class _Waiting(NamedTuple, Generic[T, S]):
    of: T
    seen: S
    data: bytes
    sums: Sums | None


class _Line(Generic[T, S]):
    """Values in their order. Those without sums are with the second process."""

    def __init__(self, look: Callable[[T, bytes], S]) -> None:
        self.waiting: deque[_Waiting[T, S]] = deque()
        self._look = look
        self._waiting_bytes = self._seen_bytes = 0
        self._second: Second | None = None
        self._alone = False

    @property
    def due(self) -> bool:
        """Is one to be given out before the next one is read? Nobody waits for another process without need."""
        if not self.waiting or self.waiting[0].sums is not None:
            return bool(self.waiting)
        return len(self.waiting) >= WAITING or self._waiting_bytes > WAITING_BYTES

    def add(self, of: T, data: bytes) -> None:
        """The next value."""
        self._seen_bytes += len(data)
        if self._second is None and not self._alone and self._seen_bytes > ENOUGH_BYTES:
            self._begin()
        away = self._second is not None and len(data) > SMALL and self._second.give(data)
        self.waiting.append(_Waiting(of, self._look(of, data), data, None if away else sums_of(data)))
        self._waiting_bytes += len(data)

    def first(self) -> Digested[T, S]:
        """The value that waits for the longest time."""
        of, seen, data, sums = self.waiting.popleft()
        self._waiting_bytes -= len(data)
        if sums is None and self._second is not None:
            sums = self._second.take()
            if sums is None:
                self.close()
        return Digested(of, seen, data, sums or sums_of(data))

    def _begin(self) -> None:
        try:
            self._second = Second()
        except (OSError, ValueError):
            self._alone = True

    def close(self) -> None:
        """End the second process, whatever it still has to do."""
        second, self._second, self._alone = self._second, None, True
        if second is not None:
            second.close()
