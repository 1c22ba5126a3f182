"""A column of codes, of which yes and no are asked again and again: a byte an entry, made in one go.

Most questions look at the same few facts, so codes fall into classes within which every answer so far was the same. There
are at most 256 classes, so the class of an entry is a byte, and an answer to a question that keeps the classes together is
one translation of bytes. A question that parts a class makes new classes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from denominator.records.column_work import WORK, Work

BYTE = 256


class Coded:
    """A column of codes. `facts` are what most questions look at, one for every code that there is."""

    def __init__(self, codes: Sequence[int], facts: Sequence[Hashable], work: Work = WORK) -> None:
        self.codes, self._work = codes, work
        self._class = _first_classes(facts)
        self._plane: bytes | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def flags(self, answers: Iterable[object]) -> bytes:
        """1 for every entry to whose code the answer is yes, else 0. One answer a code."""
        right = bytes(map(bool, answers))
        if not any(right):
            return bytes(len(self.codes))
        classes = dict.fromkeys(zip(self._class, right, strict=True))
        if len(classes) > BYTE:
            return self._work.bytes_of_codes(right, self.codes)
        if len(classes) > len(set(self._class)):
            number = {pair: at for at, pair in enumerate(classes)}
            self._class = bytes(map(number.__getitem__, zip(self._class, right, strict=True)))
            self._plane = None
        return self._entries().translate(_table(self._class, right))

    def _entries(self) -> bytes:
        """The class of every entry."""
        if self._plane is None:
            self._plane = self._work.bytes_of_codes(self._class, self.codes)
        return self._plane


def _first_classes(facts: Sequence[Hashable]) -> bytes:
    """A class for every code where there are few of them, else one for all that look alike, else one for all."""
    if len(facts) <= BYTE:
        return bytes(range(len(facts)))
    number: dict[Hashable, int] = {}
    classes = [number.setdefault(fact, len(number)) for fact in facts]
    return bytes(classes if len(number) <= BYTE else len(facts))


def _table(classes: bytes, right: bytes) -> bytes:
    """The answer to every class."""
    found = bytearray(BYTE)
    for number, answer in zip(classes, right, strict=True):
        found[number] = answer
    return bytes(found)
