"""Tasks of a long file by number, as they come; most of their names are plain, which is told of many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from denominator.records.names import Numbered, raws_of
from denominator.records.values import PLACEHOLDERS, is_placeholder
from denominator.wire.names import WORD_LINES, id_problem

Special = Callable[[str], str]


class Tasks:
    """Tasks by number. `special` says what of a task's own place is part of the kind of its rows; None: nothing of any.

    `get` gives the number of a name that can be a key as it stands and was numbered before.
    """

    def __init__(self, special: Special | None) -> None:
        self._special = special
        self._plain: dict[str, int] = {}
        self._others: dict[str, int] = {}
        self._places: dict[str, str] = {}
        self.get = self._plain.get

    def numbered(self, names: Sequence[str]) -> Sequence[int | None]:
        """The number of each name, None where it cannot be a key as it stands."""
        distinct = dict.fromkeys(names)
        if new := [name for name in distinct if name not in self._plain]:
            self._add(new)
        # Most rows of a task follow each other: looking among few names is quicker than among all.
        some = {name: self.get(name) for name in distinct}
        return list(map(some.__getitem__, names))

    def other(self, name: str) -> int:
        """The number of any name."""
        (found,) = self.numbered((name,))
        return self._others.setdefault(name, len(self)) if found is None else found

    def taken(self, names: Sequence[str]) -> Sequence[int]:
        """The numbers of names that were numbered elsewhere."""
        found = self.numbered(names)
        return [self.other(name) if one is None else one for one, name in zip(found, names, strict=True)]

    @property
    def names(self) -> Sequence[str]:
        """All of them, by their numbers."""
        both = self._plain | self._others if self._others else self._plain
        return sorted(both, key=both.__getitem__) if self._others else [*both]

    def named(self) -> tuple[list[str], Numbered]:
        """The same, and as a table has them. Nothing more is numbered then."""
        names = list(self.names)
        self._plain.clear()
        self._others.clear()
        return names, Numbered(raws_of(names))

    def __len__(self) -> int:
        return len(self._plain) + len(self._others)

    def places(self, names: Sequence[str]) -> Sequence[str] | None:
        """What of the place of each task is part of the kind of its rows; None: nothing of any."""
        if self._special is None:
            return None
        for name in dict.fromkeys(names):
            if name not in self._places:
                self._places[name] = self._special(name)
        return list(map(self._places.__getitem__, names))

    def _add(self, names: Sequence[str]) -> None:
        self._plain.update(zip(_plain(names), count(len(self)), strict=False))


def _plain(names: Sequence[str]) -> Iterable[str]:
    """The names that can be keys as they stand."""
    text = "\n".join(names)
    low = text.lower()
    words = text.count("\n") + 1 == len(names) and WORD_LINES.fullmatch(text)
    if words and not any(one in low for one in PLACEHOLDERS):
        return names
    return [one for one in names if not is_placeholder(one) and id_problem(one) is None]
