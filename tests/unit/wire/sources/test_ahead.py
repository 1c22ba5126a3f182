"""Work one step ahead: the same results, in order, and errors where they belong."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from denominator.errors import InputError
from denominator.wire.sources import ahead


def test_everything_comes_in_order() -> None:
    """As `map` gives it, and from another thread."""
    here = threading.get_ident()
    found = list(ahead(lambda one: (one * 2, threading.get_ident() == here), range(5)))
    assert found == [(0, False), (2, False), (4, False), (6, False), (8, False)]


def test_what_was_given_before_an_error_comes_first() -> None:
    """A file that breaks off keeps what stood before the break."""

    def given() -> Iterator[int]:
        yield 1
        yield 2
        raise InputError("breaks off")

    got = []
    with pytest.raises(InputError, match="breaks off"):
        for one in ahead(lambda one: one, given()):
            got.append(one)
    assert got == [1, 2]


def test_an_error_of_the_work_stands_at_its_place() -> None:
    """Not at the one before it."""
    work = ahead(lambda one: 6 // one, (3, 0, 2))
    assert next(work) == 2
    with pytest.raises(ZeroDivisionError):
        next(work)


def test_no_more_than_two_are_taken() -> None:
    """Whoever stops early has caused no more than one step."""
    taken = []

    def given() -> Iterator[int]:
        for one in range(100):
            taken.append(one)
            yield one

    work = ahead(lambda one: one, given())
    assert next(work) == 0
    work.close()  # type: ignore[attr-defined]
    assert taken == [0, 1]
