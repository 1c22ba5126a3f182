"""Lines of a ledger whose kind was seen before, told without reading them as rows.

The open values of a row are what `kind_of` drops, or keeps no more than a class of: numbers, digests, lists, the place. They
are cut out of the line. What is left, with the classes of the cut values, is the line's *skeleton*. A line whose skeleton
belongs to a line that was read strictly differs from that one in nothing but plain values in places where such values
stand: so it has the same keys, each once, and every value its type, and its kind is known. Any other line is read as a row.

Lines are told many at a time, column by column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from operator import eq, gt, itemgetter
from typing import Any, NamedTuple

from msgspec.json import Decoder

from denominator.pipeline.row_cuts import Pieces, cut_lines, is_proven, plain_words
from denominator.pipeline.row_forms import FORMS_OF, NUMBER, OBJECTS, TEXTS, WORD, form_of
from denominator.pipeline.row_shells import FailureShell, HintShell, RepeatShell, whole
from denominator.records.draws import ELSEWHERE, NUMBERS

MOST_SKELETONS = 8192
EMPTY = b"[]"
NOT_CUT = b"%d" % ELSEWHERE
"""A number that is not plain stands in the kind."""
AFTER_NUMBERS = len(FORMS_OF[NUMBER])
AFTER_WORDS = AFTER_NUMBERS + len(FORMS_OF[WORD])
AFTER_TEXTS = AFTER_WORDS + len(FORMS_OF[TEXTS])
AFTER_OBJECTS = AFTER_TEXTS + len(FORMS_OF[OBJECTS])
BESIDE = len(NUMBERS)
Skeleton = tuple[object, ...]
Column = Sequence[bytes]

_whole_numbers = Decoder(list[int]).decode
_texts_of_many = Decoder(list[list[str]]).decode


class Told(NamedTuple):
    """What the bytes of lines tell: which lines they are, and columns: skeleton, task, repeat, the numbers beside the kind."""

    at: Sequence[int]
    skeletons: Sequence[Skeleton]
    tasks: Column
    repeats: Sequence[int]
    numbers: Sequence[Sequence[int]]


NOTHING = Told((), (), (), (), ((),) * BESIDE)


class LineKinds:
    """Skeletons of lines, each with the number of its kind. `named` tasks are kinds of their own."""

    def __init__(self, named: frozenset[str], loop_n: int) -> None:
        self._named = frozenset(name.encode("utf-8", "surrogatepass") for name in named)
        self._objects = Objects(loop_n)
        self._known: dict[Skeleton, int] = {}
        form = form_of()
        if form is None:
            raise TypeError("a line of every field has a form")
        self._form = form
        self.kind = self._known.get

    def tell(self, text: bytes, lines: Sequence[bytes]) -> Told:
        """What the bytes of lines tell. A line that is not among them is an odd one, which only reading it as a row explains."""
        cut = cut_lines(self._form, text, lines)
        found = [at for at, pieces in enumerate(cut) if pieces] if None in cut else range(len(cut))
        rows = [pieces for pieces in cut if pieces]
        try:
            return self._told(found, rows)
        except ValueError:
            plain = [(at, row) for at, row in zip(found, rows, strict=True) if self._is_plain(row)]
            return self._told([at for at, _ in plain], [row for _, row in plain])

    def learn(self, skeleton: Skeleton | None, kind: int, raw: bytes, value: dict[str, Any]) -> None:
        """Remember the skeleton of a line that was read as a row, in bounded memory; where it has none, the keys it has."""
        if skeleton is None:
            form = form_of(frozenset(value))
            if form is not None and form is not self._form:
                self._form = form
                self._known.clear()
        elif is_proven(self._form, raw, value):
            if len(self._known) >= MOST_SKELETONS:
                self._known.clear()
            self._known[skeleton] = kind

    def _is_plain(self, row: Pieces) -> bool:
        try:
            self._told((0,), [row])
        except ValueError:
            return False
        return True

    def _told(self, at: Sequence[int], rows: Sequence[Pieces]) -> Told:
        if not rows:
            return NOTHING
        columns = list(zip(*rows, strict=True))
        found = [columns[cut] for cut in self._form.cuts]
        numbers = [whole_numbers(one) for one in found[:AFTER_NUMBERS]]
        words, texts = found[AFTER_NUMBERS:AFTER_WORDS], found[AFTER_WORDS:AFTER_TEXTS]
        check_words(words)
        ids = texts_of(texts)
        tasks = found[-2]
        skeletons = zip(
            map(itemgetter(*self._form.kept), rows),
            *(map(bool, one) for one in (*numbers, *words)),
            *(map(EMPTY.__eq__, one) for one in texts),
            map(gt, *numbers[BESIDE : BESIDE + 2]),
            map(eq, *words[:2]),
            (one == other or _agree(ids[one], ids[other]) for one, other in zip(*texts[:2], strict=True)),
            map(self._objects.__getitem__, zip(*found[AFTER_TEXTS:AFTER_OBJECTS], strict=True)),
            (task if task in self._named else b"" for task in tasks) if self._named else repeat(b"", len(rows)),
            strict=True,
        )
        return Told(at, list(skeletons), tasks, whole_numbers(found[-1]), numbers[:BESIDE])


class Objects(dict[tuple[bytes, ...], Skeleton]):
    """What of the objects of a line is of its kind. Raises ValueError where one is not written in the one form."""

    def __init__(self, loop_n: int) -> None:
        super().__init__()
        self._loop_n = loop_n

    def __missing__(self, objects: tuple[bytes, ...]) -> Skeleton:
        failure, hints, repeats, words = objects
        failed = whole(FailureShell | None, failure)
        found = whole(list[HintShell], hints)
        loops = any(one.times >= self._loop_n for one in whole(list[RepeatShell], repeats or EMPTY))
        whole(list[HintShell], words)
        told: Skeleton = (
            failed and (failed.cause, failed.phase, failed.writer, failed.seq > 0),
            tuple((one.cause, one.family, one.writer, one.stream) for one in found),
            bool(repeats),
            loops,
        )
        if len(self) >= MOST_SKELETONS:
            self.clear()
        self[objects] = told
        return told


def whole_numbers(texts: Column) -> list[int]:
    """Numbers from their digits; `ELSEWHERE` for one that was not cut."""
    filled: Iterable[bytes] = (one or NOT_CUT for one in texts) if b"" in texts else texts
    return _whole_numbers(b"[%b]" % b",".join(filled))


def check_words(columns: Iterable[Column]) -> None:
    """Raises ValueError where a word holds anything that ends or escapes a text."""
    joined = b"".join(chain.from_iterable(columns))
    if not joined.isalnum() and plain_words(joined) is None:
        raise ValueError("no plain word")


def texts_of(columns: Iterable[Column]) -> Mapping[bytes, list[str]]:
    """Every cut list with its texts (b"": none was cut). Raises ValueError where one holds anything but texts."""
    lists = [one for one in set(chain.from_iterable(columns)) if one]
    found = _texts_of_many(b"[%b]" % b",".join(lists))
    # Every list ends at its own bracket: where there are as many as before, each was read by itself.
    return {b"": [], **dict(zip(lists, found, strict=True))}


def _agree(expected: Sequence[str], passed: Sequence[str]) -> bool:
    """Are these the same test ids?"""
    if expected and passed and expected[-1] not in passed:
        return False
    return set(expected) == set(passed)
