"""The report formats that are known, and how a document says which one it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from denominator.readers.runners.formats import gojson, jestjson, junit, kit, libtest, pytestjson, tap
from denominator.readers.runners.formats.chunks import chunks, peek
from denominator.readers.runners.kinds import runner_of
from denominator.readers.runners.shape import Document, Report
from denominator.readers.runners.tally import Tally

Reader = Callable[[Iterator[bytes], Tally], None]
FORMATS: dict[str, Reader] = {
    "go-json": gojson.read,
    "jest-json": jestjson.read,
    "junit": junit.read,
    "kit": kit.read,
    "libtest": libtest.read,
    "pytest-json": pytestjson.read,
    "tap": tap.read,
}
SNIFF_BYTES = 4096
_SIGNS = (
    (re.compile(rb"\s*<"), "junit"),
    (re.compile(rb"0 [0-9a-f]{32} \{"), "kit"),
    (re.compile(rb'\s*\{[^\n]*"Action"\s*:'), "go-json"),
    (re.compile(rb"(?:# \S|FAIL\t)"), "go-json"),
    (re.compile(rb'\s*\{[^\n]*"reason"\s*:'), "libtest"),
    (re.compile(rb'\s*\{\s*"type"\s*:\s*"(?:suite|test|bench)"'), "libtest"),
    (re.compile(rb'\s*\{[\s\S]*"(?:numTotalTests|numFailedTestSuites|testResults)"\s*:'), "jest-json"),
    (re.compile(rb'\s*\{[\s\S]*"(?:exitcode|nodeid|collectors)"\s*:'), "pytest-json"),
    (re.compile(rb"(?:[^\n]*\n){0,20}?(?:TAP version |1\.\.\d|(?:not )?ok\b)"), "tap"),
)


def read_document(document: Document, format_: str = "", runner: str = "") -> Report | None:
    """The report in normal form; None for an empty one. What no reader knows is a report with a defect.

    `format_` wins over what the bytes look like. A known runner's only format is taken where they look like nothing.
    """
    head, parts = peek(chunks(document))
    if not head.strip():
        return None
    name = format_ or sniff(head) or _usual(runner)
    read = FORMATS.get(name)
    if read is None:
        return Report(format=name, defect="the report is in no format that is known")
    tally = Tally(name)
    tally.runner = runner_of(runner).name if runner else ""
    read(parts, tally)
    return tally.report()


def sniff(head: bytes) -> str:
    """The format that a document's first bytes show, or "" where they show none."""
    text = head[:SNIFF_BYTES].removeprefix(b"\xef\xbb\xbf")
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "junit" if b"<" in text else ""
    return next((name for pattern, name in _SIGNS if pattern.match(text)), "")


def _usual(runner: str) -> str:
    reports = runner_of(runner).reports
    return reports[0] if len(reports) == 1 else ""
