"""Tests that must fail, made anew for every grading, so that a runner which passes everything gives itself away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
    vocabulary = sorted(_WORDS | {word for id_ in ids for word in re.findall("[a-z]{3,12}", id_) if word != "test"})
    stems = {path.rpartition("/")[2].removesuffix(".py") for path in taken}
    made: list[Sentinel] = []
    while len(made) < COUNT:
        words = [vocabulary[pick(len(vocabulary))] for _ in range(4)]
        stem = f"test_{words[0]}_{words[1]}"
        if stem not in stems:
            stems.add(stem)
            made.append(_sentinel(runner, stem, words, pick))
    return tuple(made)


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
