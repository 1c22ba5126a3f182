"""The sums that a document prints, and whether its rows add up to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from denominator.importers.formats.promptfoo.document import Found
from denominator.importers.formats.promptfoo.endings import FAILED, NOT_TESTED, PASSED, ending_of
from denominator.records.foreign import Published, Told

STATS = {"successes": "passed", "failures": "failed", "errors": "errors"}
METRICS = {"testPassCount": "passed", "testFailCount": "other", "testErrorCount": "errors"}


def published(found: Found, column: int) -> Iterator[Published]:
    """The sums of the column, and those over all columns."""
    table = found.prompt(column).get("metrics")
    where = f"{found.file}#/results/prompts/{column}/metrics"
    for key, role in METRICS.items():
        if isinstance(table, dict) and _is_count(value := table.get(key)):
            of = "rows of the column"
            yield Published(metric=key, value=str(value), unit="count", role=role, of=of, where=f"{where}/{key}")
    for key in STATS:
        if _is_count(value := found.stats.get(key)):
            place = f"{found.file}#/results/stats/{key}"
            of = "rows of all columns"
            yield Published(metric=key, value=str(value), unit="count", role="other", of=of, where=place)


def tell_sums(found: Found, told: Told) -> None:
    """Sums over all columns against all rows."""
    own: Counter[str] = Counter()
    for _, row in found.rows:
        ending = ending_of(row)
        passed = ending in (PASSED, NOT_TESTED)
        own["passed" if passed else "failed" if ending == FAILED else "errors"] += 1
    for key, kind in STATS.items():
        if _is_count(value := found.stats.get(key)) and value != own[kind]:
            what = f"{key} is {value}, the rows of all columns hold {own[kind]}"
            told.say("sums_differ", f"{found.file}#/results/stats/{key}", what)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
