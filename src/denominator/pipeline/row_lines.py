"""Lines of a ledger whose kind was seen before, told without reading them as rows.

The open values of a row are what `kind_of` drops, or keeps no more than a class of: numbers, digests, lists, the place. They
are cut out of the line. What is left, with the classes of the cut values, is the line's *skeleton*. A line whose skeleton
belongs to a line that was read strictly differs from that one in nothing but plain values in places where such values
stand: so it has the same keys, each once, and every value its type, and its kind is known. Any other line is read as a row.
"""

from __future__ import annotations

from typing import Any

from denominator.pipeline.row_cuts import (
    AFTER_NUMBERS,
    AFTER_TEXTS,
    AFTER_WORDS,
    BESIDE,
    EMPTY,
    ZERO,
    Layout,
    cut_line,
    is_proven,
    plain_texts,
    plain_words,
)
from denominator.pipeline.row_shells import FailureShell, HintShell, RepeatShell, whole

MOST_SKELETONS = 8192
BACKSLASH = b"\\"
BREAK = b"\n"
"""Stands between the pieces of a line: no line holds one."""
NO_OBJECTS = (b"null", EMPTY, EMPTY, EMPTY)
Skeleton = tuple[object, ...]
Told = tuple[Skeleton, str, int, tuple[bytes, ...]]
"""What the bytes of a line tell: its skeleton, its task and repeat, the numbers beside its kind as text (b"": not cut)."""


class LineKinds:
    """Skeletons of lines, each with the number of its kind. `named` tasks are kinds of their own."""

    def __init__(self, named: frozenset[str], loop_n: int) -> None:
        self._named, self._loop_n = named, loop_n
        self._known: dict[Skeleton, int] = {}
        self.kind = self._known.get

    def tell(self, raw: bytes) -> Told | None:
        """What the bytes of a line tell, or nothing: then it is an odd one, which only reading it as a row explains."""
        try:
            if not raw.isascii():
                raw.decode()
            found = cut_line(raw)
            return None if found is None else self._told(*found, BACKSLASH in raw)
        except ValueError:
            return None

    def learn(self, skeleton: Skeleton, kind: int, raw: bytes, value: dict[str, Any]) -> None:
        """Remember the skeleton of a line that was read as a row, in bounded memory."""
        if not is_proven(raw, value):
            return
        if len(self._known) >= MOST_SKELETONS:
            self._known.clear()
        self._known[skeleton] = kind

    def _told(self, layout: Layout, pieces: list[bytes], escapes: bool) -> Told | None:
        found = layout.open(pieces)
        numbers, words, texts = found[:AFTER_NUMBERS], found[AFTER_NUMBERS:AFTER_WORDS], found[AFTER_WORDS:AFTER_TEXTS]
        objects, name, repeat = found[AFTER_TEXTS:-2], found[-2], found[-1]
        if not plain_words(words) or (escapes and any(BACKSLASH in one for one in texts)):
            return None
        paused, working = numbers[BESIDE : BESIDE + 2]
        agree = _agree(*texts[:2])
        for one in texts[2:]:
            if one != EMPTY:
                plain_texts(one)
        task = name[1:-1].decode()
        skeleton = (
            BREAK.join(layout.kept(pieces)),
            layout.ways,
            bytes([one == ZERO for one in numbers]),
            bytes([not one for one in words]),
            bytes([one == EMPTY for one in texts]),
            bool(paused and working) and int(paused) > int(working),
            words[0] == words[1],
            agree,
            objects if objects == NO_OBJECTS else self._classes(objects),
            task if task in self._named else "",
        )
        return skeleton, task, int(repeat), numbers[:BESIDE]

    def _classes(self, objects: tuple[bytes, ...]) -> Skeleton:
        """What of the objects of a line is of its kind. Raises ValueError where one is not written in the one form."""
        failure, hints, repeats, words = objects
        failed = whole(FailureShell | None, failure)
        found = whole(list[HintShell], hints)
        loops = any(one.times >= self._loop_n for one in whole(list[RepeatShell], repeats or EMPTY))
        whole(list[HintShell], words)
        return (
            failed and (failed.cause, failed.phase, failed.writer, failed.seq > 0),
            tuple((one.cause, one.family, one.writer, one.stream) for one in found),
            bool(repeats),
            loops,
        )


def _agree(expected: bytes, passed: bytes) -> bool:
    """Are these the same test ids? Raises ValueError where one of the lists is not plain."""
    one = plain_texts(expected)
    if expected == passed:
        return True
    other = plain_texts(passed)
    if one and other and one[-1] not in other:
        return False
    return set(one) == set(other)
