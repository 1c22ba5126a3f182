"""Repeats: K verdicts for every task."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.judgements import from_word
from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape
from denominator.importers.values import CsvText


def _words(rows: Sequence[RawRow]) -> bool:
    """Are most `status` values words, not HTTP numbers?"""
    found = [row.value["status"] for row in rows if "status" in row.value]
    return 2 * sum(isinstance(value, str) and not _number(value) for value in found) >= len(found)


def _number(value: str) -> bool:
    """A cell of a CSV file is text, a number too."""
    return isinstance(value, CsvText) and value.strip().isdecimal()


SHAPE = Shape(
    name="repeats",
    method="M6",
    what="one row a repeat with its verdict (pass, fail, timeout, abstain, unscoreable)",
    example='{"task": "t1", "repeat": 1, "status": "pass", "seconds": 9}',
    signs=frozenset({"status"}),
    judge=from_word("result"),
    judges="status",
    renames={"status": "result"},
    test=_words,
)
