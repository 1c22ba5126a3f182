"""Equality below G3: values that lie about it fail, honest ones of every kind are what they were."""

import ast
import enum
import fractions
import sys
import unittest
import weakref
from collections import Counter, OrderedDict, UserList, defaultdict, deque, namedtuple
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

import pytest

import denominator.adapters.graders

sys.path.insert(0, str(Path(denominator.adapters.graders.__file__).parent / "kit/runner"))
try:
    import equal
finally:
    del sys.path[0]

COULD = {1, 1.5, 2, 2.5, 3, 4}


class Plausible:
    def __eq__(self, other):
        return any(other == each for each in COULD)

    __hash__ = None


class Whole(int):
    def __eq__(self, other):
        return other in COULD

    __hash__ = int.__hash__


class Text(str):
    def __eq__(self, other):
        return other.startswith("b")

    __hash__ = str.__hash__


class Bound(set):
    __eq__ = set.__contains__
    __hash__ = None


class Less(float):
    __eq__ = float.__le__
    __hash__ = float.__hash__


class Said(Plausible):
    __class__ = float


class Once:
    """Equal to the first plausible value that it is asked about, and to that one for ever."""

    def __init__(self):
        self.first = None

    def __eq__(self, other):
        if self.first is None and other in COULD:
            self.first = other
        return other == self.first

    __hash__ = None


class Truth:
    """Answers with something that is true."""

    def __eq__(self, other):
        return 1 if other in COULD else 0

    __hash__ = None


class Seconds(fractions.Fraction):
    def __new__(cls):
        made = super().__new__(cls, 1)
        made._numerator, made._denominator = Plausible(), Whole(1)
        return made


class Meta(type):
    """Says that its classes have nothing to hide."""

    mro_said = ()

    def __eq__(cls, other):
        return True

    __hash__ = type.__hash__


class Masked(Plausible, metaclass=Meta):
    pass


class Near(float):
    __eq__ = Plausible.__eq__
    __hash__ = None


KEPT = Plausible()
LIARS = {
    "object": (Plausible(), 2.5), "int": (Whole(7), 2), "str": (Text("x"), "ba"), "set": (Bound(COULD), 2), "le": (Less(1), 2.5),
    "class": (Said(), 2.5), "number": (Truth(), 2), "fraction": (Seconds(), 2), "meta": (Masked(), 2.5), "proxy": (weakref.proxy(KEPT), 2),
    "in a list": ([1, Plausible()], [1, 2.5]), "in a tuple": ((Plausible(),), (2,)), "in a dict": ({"a": [Plausible()]}, {"a": [2]}),
    "in a default": (defaultdict(int, a=Plausible()), {"a": 2}), "in a counter": (Counter(a=Plausible()), {"a": 2}),
    "user list": (UserList([Plausible()]), [2]), "mapping": (MappingProxyType({"a": Plausible()}), {"a": 2}),
    "deque": (deque([Plausible()]), deque([2])), "approx": (Plausible(), pytest.approx(3)),
}  # fmt: skip


def by_assert(got: Any, expected: Any, *, turned: bool = False) -> bool:
    text = "assert expected == got" if turned else "assert got == expected"
    return runs(f"def test(got, expected):\n    {text}\n", got, expected)


def runs(text: str, *values: Any) -> bool:
    names: dict[str, Any] = {}
    exec(equal.compiled(ast.parse(text), "test_it.py"), names)
    try:
        names["test"](*values)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", LIARS)
def test_a_value_that_lies_equals_nothing(name, turned):
    got, expected = LIARS[name]
    assert bool(got == expected), "no liar"
    assert not by_assert(got, expected, turned=turned)


def test_who_lies_is_named():
    with pytest.raises(AssertionError, match="a value of class Plausible that equals 2.5 equals"):
        assert equal.held(Plausible()) == 2.5


def test_a_value_that_makes_up_its_mind_is_mostly_caught():
    assert sum(by_assert(Once(), 2.5) for _ in range(200)) < 60


class Colour(enum.IntEnum):
    RED = 2


class Level(enum.Flag):
    LOW = 1


Pair = namedtuple("Pair", "a b")


@dataclass
class Point:
    x: int


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return self.cents == round(other.cents if isinstance(other, Money) else other * 100)

    __hash__ = None


class Folded(str):
    def __eq__(self, other):
        return self.lower() == other.lower()

    __hash__ = str.__hash__


class Vector:
    def __init__(self, *parts):
        self.parts = parts

    def __eq__(self, other):
        return (
            all(abs(a - b) < 1e-3 for a, b in zip(self.parts, other, strict=True))
            if len(other) == len(self.parts)
            else False
        )

    __hash__ = None


class Bag(list):
    """Without order."""

    def __eq__(self, other):
        return sorted(self) == sorted(other)

    __hash__ = None


class Column:
    """Builds an expression."""

    def __eq__(self, other):
        return Said2(f"column = {other}")

    __hash__ = None


class Said2:
    def __init__(self, text):
        self.text = text


class Cells:
    """As an array: comparison gives another, which has no truth."""

    def __init__(self, *values):
        self.values = values

    def __eq__(self, other):
        return Cells(*(value == other for value in self.values))

    def __bool__(self):
        raise ValueError("ambiguous")

    def all(self):
        return all(self.values)

    __hash__ = None


class Nothing:
    def __eq__(self, other):
        return other is None

    __hash__ = None


HONEST = {
    "bool": (True, 1), "int and float": (2, 2.0), "enum": (Colour.RED, 2), "flag": (Level.LOW, Level.LOW), "named": (Pair(1, 2), (1, 2)),
    "ordered": (OrderedDict(a=1), {"a": 1}), "default": (defaultdict(list, a=[1]), {"a": [1]}), "counter": (Counter("aab"), {"a": 2, "b": 1}),
    "decimal": (Decimal("2.5"), 2.5), "fraction": (fractions.Fraction(5, 2), 2.5), "complex": (2 + 0j, 2), "data": (Point(1), Point(1)),
    "list of data": ([Point(1)], [Point(1)]), "money": (Money(250), 2.5), "two money": ([Money(1)], [Money(1)]), "folded": (Folded("Ab"), "aB"),
    "vector": (Vector(1, 2.00001), (1, 2)), "bag": (Bag([2, 1]), [1, 2]), "user list": (UserList([1, 2]), [1, 2]), "nothing": (Nothing(), None),
    "approx": (2.5000001, pytest.approx(2.5)), "wide": (3, pytest.approx(2, abs=5)), "any": ([1, 2], [mock.ANY, 2]),
    "call": ([mock.call(1)], [mock.call(1)]), "nan": ([float("inf")], [float("inf")]), "bytes": (bytearray(b"a"), b"a"), "deep": ({"a": [(1, {2})]},) * 2,
    "class": (int, int), "set": ({1, 2}, frozenset({2, 1})), "named in a dict": ({"a": Pair(1, [2])}, {"a": (1, [2])}),
}  # fmt: skip


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_value_is_what_it_was(name, turned):
    got, expected = HONEST[name]
    assert got == expected
    assert by_assert(got, expected, turned=turned)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (Money(100), 2),
        (Money(250), 3),
        (3, 2),
        (Folded("a"), "b"),
        (Vector(1), (2,)),
        (Point(1), 3),
        (UserList([1]), [2]),
    ],
)
def test_what_is_right_is_no_lie_beside_what_is_wrong(got, expected, monkeypatch):
    told = []
    monkeypatch.setattr(equal, "_hear", [told.append])
    assert not by_assert(got, expected)
    assert told == []


def test_arrays_and_expressions_pass_through():
    assert runs("def test(got):\n    assert (got == 3).all()\n", Cells(3, 3))
    assert not runs("def test(got):\n    assert (got == 3).all()\n", Cells(3, 2))
    assert runs("def test(got):\n    assert (got == 3).text == 'column = 3'\n", Column())
    with pytest.raises(ValueError, match="ambiguous"):
        runs("def test(got):\n    assert got == 3\n", Cells(3))


def test_a_stranger_exception_stays_itself():
    class Cross:
        def __eq__(self, other):
            raise KeyError("own")

        __hash__ = None

    with pytest.raises(KeyError, match="own"):
        by_assert(Cross(), 2)


CASE = """
import unittest
class Case(unittest.TestCase):
    def test_equal(self): self.assertEqual(got, 2.5)
    def test_true(self): self.assertTrue(got == 2.5)
    def test_both(self): self.assertEqual(2.5, got, "words")
    def test_almost(self): self.assertAlmostEqual(got, 2.5) if hasattr(got, "__sub__") else self.fail()
"""


@pytest.mark.parametrize(
    ("got", "failures"), [(Plausible(), 4), (Near(7), 4), (2.5, 0), (Money(250), 1), (fractions.Fraction(5, 2), 0)]
)
def test_unittest_asks_too(got, failures):
    names: dict[str, Any] = {"got": got, "__name__": "case"}
    exec(equal.compiled(ast.parse(CASE), "test_it.py"), names)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(names["Case"]).run(result)
    assert (len(result.failures), result.errors) == (failures, [])


def test_numpy(monkeypatch):
    numpy = pytest.importorskip("numpy")
    assert by_assert(numpy.float64(2.5), 2.5) and by_assert(numpy.int32(2), 2)
    assert runs("def test(got):\n    assert (got == 3).all()\n", numpy.array([3, 3]))
