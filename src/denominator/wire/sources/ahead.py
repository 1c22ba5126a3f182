"""Members as wholes, one after the other, each with its digest: of a large archive a second process makes them meanwhile.

Digests and checksums take as long as unpacking. The limits are the same wherever a member is read. Where there is no other
process, or it ends, is late, or cannot read a member, the digest is made here, and nothing else changes. A file that changes
while two processes read it is refused, for nobody knows which bytes a digest would be of.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from denominator.errors import InputError
from denominator.wire.sources.base import Source

if TYPE_CHECKING:
    from denominator.wire.sources.archive import Archive
    from denominator.wire.sources.second import Second

S = TypeVar("S")
ENOUGH_BYTES = 64 << 20
"""Fewer are read before a second process has done anything."""
AHEAD = 8
"""So many members are asked for before this process reads them."""
SMALL, LARGE = 1 << 14, 16 << 20
"""Asking for a smaller member takes longer than digesting it; a larger one is not held twice."""


class Whole(NamedTuple, Generic[S]):
    """A member, what was seen in it, and the sha256 of its bytes; where it cannot be read it has no bytes, and `fault` says why."""

    name: str
    seen: S | None
    data: bytes
    sha256: str
    fault: str = ""


def wholes(source: Source, names: Iterable[str], most: int, look: Callable[[bytes, str], S]) -> Iterator[Whole[S]]:
    """Members of at most `most` bytes in the order of `names`. Nothing is raised for a member that is missing or damaged.

    `look` gets the bytes and the name of each member before anybody knows whether its checksum is right; what it sees in a
    damaged one is forgotten. It raises nothing. InputError, at the end: the file was changed meanwhile.
    """
    from denominator.wire.sources.archive import Archive

    if isinstance(source, Archive):
        return _of_archive(source, tuple(names), most, look)
    return (_whole(name, source.read, most, look, lambda data: hashlib.sha256(data).hexdigest()) for name in names)


def _of_archive(
    source: Archive, names: Sequence[str], most: int, look: Callable[[bytes, str], S]
) -> Iterator[Whole[S]]:
    line = _Line(source, names, most)
    try:
        for place, name in enumerate(names):
            line.ask(place)
            one = _whole(name, source.unchecked, most, look, partial(line.digest, place))
            if not one.fault:
                source.digests[name] = one.sha256
            yield one
        line.refuse_changed()
    finally:
        line.close()


def _whole(
    name: str,
    read: Callable[[str, int], bytes],
    most: int,
    look: Callable[[bytes, str], S],
    digest: Callable[[bytes], str],
) -> Whole[S]:
    try:
        data = read(name, most)
        seen = look(data, name)
        return Whole(name, seen, data, digest(data))
    except InputError as error:
        return Whole(name, None, b"", hashlib.sha256().hexdigest(), error.what)


class _Line:
    """The members that the second process was asked for, in their order."""

    def __init__(self, archive: Archive, names: Sequence[str], most: int) -> None:
        self._archive, self._names = archive, names
        self._asked: deque[int] = deque()
        self._next = 0
        self._second: Second | None = None
        self._places = {name: place for place, name in enumerate(archive.names())}
        self._sizes = [archive.size(name) if name in self._places else 0 for name in names]
        if sum(self._sizes) >= ENOUGH_BYTES:
            from denominator.wire.sources.second import Second

            with suppress(OSError, ValueError):
                self._second = Second(archive.descriptor, min(most, LARGE))

    def ask(self, place: int) -> None:
        """For the members behind a place, as far ahead as may be; fewer where answers to earlier ones are still to come."""
        self._next = max(self._next, place + 1)
        if self._second is None or not self._second.begun:
            return
        while len(self._asked) < AHEAD and self._next < min(place + AHEAD, len(self._names)):
            if SMALL < self._sizes[self._next] <= LARGE:
                self._second.ask(self._places[self._names[self._next]])
                self._asked.append(self._next)
            self._next += 1

    def answer(self, place: int) -> str:
        """The digest of the member at a place, if it is known by now; then its checksum is right. Nobody waits for one."""
        found = ""
        while self._second is not None and self._asked and self._asked[0] <= place and self._second.told:
            of, said = self._asked.popleft(), self._second.take()
            found = said if of == place else ""
        return found

    def digest(self, place: int, data: bytes) -> str:
        """The same, or made here. InputError: the checksum is another."""
        if answer := self.answer(place):
            return answer
        self._archive.check(self._names[place], zlib.crc32(data))
        return hashlib.sha256(data).hexdigest()

    def refuse_changed(self) -> None:
        """InputError: the file is not as it was when it was opened."""
        if self._second is not None and self._archive.changed:
            fix = "wait until it is finished, and read it again"
            raise InputError("was changed while it was read", where=self._archive.name, fix=fix)

    def close(self) -> None:
        """End the second process, whatever it still has to do."""
        if self._second is not None:
            self._second.close()
