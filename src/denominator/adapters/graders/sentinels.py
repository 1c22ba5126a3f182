"""Tests that must fail, made anew for every grading, so that a runner which passes everything gives itself away."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Pick = Callable[[int], int]
COUNT = 2
_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        "order empty nested bounds round stable unicode repeat merge limit keys shape edge mixed parse value range "
        "single double large small default reverse split join window offset prefix header field",
    )
)
_NO_NAMES = frozenset(("test", *keyword.kwlist))


@dataclass(frozen=True, slots=True)
class Sentinel:
    """One file of one test that must fail: its path below the hidden folder, its bytes, the id it is reported under."""

    path: str
    data: bytes
    id: str


def make_sentinels(runner: str, taken: Iterable[str], ids: Iterable[str], pick: Pick) -> tuple[Sentinel, ...]:
    """`COUNT` sentinels named like the tests they stand among. `pick(n)` gives a random number below n.

    `taken` are the paths of the hidden folder. The bodies differ: wrong values, a wrong order, an exception.
    """
    words = vocabulary(ids)
    stems = {path.rpartition("/")[2].removesuffix(".py") for path in taken}
    made: list[Sentinel] = []
    while len(made) < COUNT:
        stem = new_stem(words, stems, pick)
        made.append(_sentinel(runner, stem, [words[pick(len(words))] for _ in range(4)], pick))
    return tuple(made)


def vocabulary(ids: Iterable[str]) -> list[str]:
    """Words to make names of: those of the tests, and some that fit everywhere."""
    return sorted(_WORDS | {word for id_ in ids for word in re.findall("[a-z]{3,12}", id_) if word not in _NO_NAMES})


def new_stem(words: Sequence[str], stems: set[str], pick: Pick) -> str:
    """The name of a test module that is not in `stems` yet, and then is."""
    while True:
        stem = f"test_{words[pick(len(words))]}_{words[pick(len(words))]}"
        if stem not in stems:
            stems.add(stem)
            return stem


def _sentinel(runner: str, stem: str, words: list[str], pick: Pick) -> Sentinel:
    name = f"test_{words[2]}_{words[3]}"
    got, expected, action = _wrong(pick)
    if runner == "pytest":
        text = f"{action}def {name}():\n    got = {got}\n    expected = {expected}\n    assert got == expected\n"
        return Sentinel(f"{stem}.py", text.encode(), f"{stem}.py::{name}")
    group = f"{words[2].title()}Test"
    text = (
        f"import unittest\n\n\n{action}class {group}(unittest.TestCase):\n    def {name}(self):\n"
        f"        got = {got}\n        expected = {expected}\n        self.assertEqual(got, expected)\n"
    )
    return Sentinel(f"{stem}.py", text.encode(), f"{stem}.{group}.{name}")


def _wrong(pick: Pick) -> tuple[str, str, str]:
    """An expression, a value that it does not have, and what has to stand before."""
    values = sorted({pick(90) + 1 for _ in range(6)} | {100, 200})
    kind = pick(3)
    if kind == 0:
        return f"sorted({values[::-1]})", f"{[*values[:-1], values[-1] + 1]}", ""
    if kind == 1:
        return f"sum({values})", f"{sum(values) - 1 - pick(9)}", ""
    helper = f"def check(values):\n    raise ValueError(f'no {{values[{pick(2)}]}}')\n\n\n"
    return f"check({values})", f"{values}", helper
