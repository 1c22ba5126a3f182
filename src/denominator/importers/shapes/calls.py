"""Call rows: one model call a line, no verdict."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape
from denominator.importers.shapes.repeats import SHAPE as REPEATS


def _numbers(rows: Sequence[RawRow]) -> bool:
    return not (REPEATS.test and REPEATS.test(rows))


SHAPE = Shape(
    name="calls",
    method="M9",
    what="one model call a line with its HTTP status (0: no answer); holds no verdict",
    example='{"task_id": "t1", "attempt": 1, "status": 503, "latency_s": 1.0}',
    signs=frozenset({"status"}),
    renames={"status": "http_status"},
    test=_numbers,
    grouped=True,
)
