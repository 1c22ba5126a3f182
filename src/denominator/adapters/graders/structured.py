"""JSON reports for runner `command`, read by the readers of runner endings and held to the same strictness as ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from denominator.readers.runners.formats import gojson, jestjson, libtest, pytestjson
from denominator.readers.runners.shape import PASSED, Report
from denominator.readers.runners.tally import Tally

STRUCTURED: Mapping[str, Callable[[Iterator[bytes], Tally], None]] = {
    "go-json": gojson.read,
    "jest-json": jestjson.read,
    "libtest": libtest.read,
    "pytest-json": pytestjson.read,
}
WORDS = {"passed": "passed", "failed": "failed", "error": "failed"}
OF_CASES = ("assertion", "raised", "unsaid", "setup", "timeout", "worker")


def read_structured(kind: str, data: bytes) -> tuple[Mapping[str, str], str]:
    """Test id -> passed, failed or skipped, and why the report proves nothing ("" where it stands).

    Whatever is neither a plain pass nor bad counts as skipped. One id with two results, a report that is not whole, and
    trouble outside every test (a build, a file that did not load) make it unreadable.
    """
    tally = Tally(kind)
    STRUCTURED[kind](iter((data,)), tally)
    report = tally.report()
    return {id_: WORDS.get(word, "skipped") for id_, word in report.words.items()}, _why_not(report)


def _why_not(report: Report) -> str:
    if report.defect:
        return f"the report is not whole: {report.defect}"
    if report.flaky or sum(report.numbers.values()) != len(report.words):
        return f"the report holds {(report.flaky or ('an id',))[0]} more than once"
    outside = {kind: count for kind, count in report.kinds.items() if kind not in OF_CASES}
    if outside or sum(report.kinds.values()) > sum(word != PASSED for word in report.words.values()):
        first = report.troubles[0].text.strip().rpartition("\n")[2] if report.troubles else ""
        return f"the report shows trouble outside every test{': ' if first else ''}{first}"
    return ""
