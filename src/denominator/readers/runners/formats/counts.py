"""A harness's own numbers in place of a report: how many passed, failed, erred, were skipped. No ids, so no proof by id."""

from __future__ import annotations

from denominator.readers.runners.shape import ERROR, FAILED, PASSED, SKIPPED, XFAILED, XPASSED, Report
from denominator.records.facts import TestCounts

FIELDS = {
    "passed": PASSED,
    "failed": FAILED,
    "errors": ERROR,
    "skipped": SKIPPED,
    "xfailed": XFAILED,
    "xpassed": XPASSED,
}


def from_counts(counts: TestCounts) -> Report | None:
    """The numbers as a report, or None where none of them is known. Impossible numbers are a defect."""
    known = {word: value for name, word in FIELDS.items() if isinstance(value := getattr(counts, name), int)}
    if not known:
        return None
    odd = [word for word, value in known.items() if value < 0 or isinstance(value, bool)]
    kinds = {"assertion": known.get(FAILED, 0), "unsaid": known.get(ERROR, 0)}
    return Report(
        format="counts",
        numbers=known,
        kinds={kind: count for kind, count in kinds.items() if count > 0},
        defect=f"the number of {odd[0]} tests is impossible" if odd else "",
        counts_only=True,
    )
