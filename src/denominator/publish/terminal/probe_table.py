"""Counts of a probe in columns, never summed over rows, never sorted by value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.terminal.page import Page
from denominator.records.probe_results import Across
from denominator.records.rows import Count
from denominator.records.values import NotMeasured

WITHHELD = "withheld"


def table(page: Page, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> None:
    """A name and cells a row, right-aligned under their heads; what is too wide for the page goes below its name."""
    if not rows:
        return
    first = max(len(name) for name, _ in rows)
    wide = [max(len(cell) for cell in column) for column in zip(heads, *(cells for _, cells in rows), strict=True)]
    if 2 + first + sum(one + 2 for one in wide) > page.width:
        for name, cells in rows:
            told = ", ".join(f"{head} {cell}" if head else cell for head, cell in zip(heads, cells, strict=True))
            page.item(f"{name}: {told}", hang=4)
        return
    for name, cells in (("", heads), *rows):
        line = "  ".join((f"{name:<{first}}", *(f"{cell:>{w}}" for cell, w in zip(cells, wide, strict=True))))
        if line.strip():
            page.item(line.rstrip(), hang=0)


def count(k: Count, n: Count) -> str:
    """ "7/12"; a count that may not be told says so."""
    return WITHHELD if isinstance(k, NotMeasured) or isinstance(n, NotMeasured) else f"{k}/{n}"


def milliseconds(us: Count) -> str:
    """A time of the table: milliseconds with one digit, rounded down."""
    return "-" if isinstance(us, NotMeasured) else f"{us // 1000}.{us % 1000 // 100}"


def word(cls: str, reason: str) -> str:
    """ "format_drift code_fence"."""
    return f"{cls} {reason}".rstrip()


def across_line(one: Across) -> str:
    """A finding over several attempts of a case."""
    return f"{one.case_id}, {_found(one)}"


def across_lines(found: Iterable[Across]) -> list[str]:
    """Findings over several attempts of a case; those that say the same of several cases in one line."""
    alike: dict[str, list[str]] = {}
    for one in found:
        alike.setdefault(_found(one), []).append(one.case_id)
    return [f"{', '.join(cases)}, {text}" for text, cases in alike.items()]


def _found(one: Across) -> str:
    where = f"window {one.window}" if one.window else "between windows"
    return f"{where}: {word(one.cls, one.reason)} {one.k}/{one.n}: {one.note}"
