"""Readers of report files for runner `command`: JUnit XML, TAP 13/14 and JSON, strict, never expanding anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

from denominator.adapters.graders.structured import STRUCTURED, read_structured

REPORT_BYTES_MAX = 8 << 20
KINDS = ("junit", "tap", *STRUCTURED)
DEPTH_MAX = 40
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_BAD = frozenset({"failure", "error", "flakyFailure", "flakyError", "rerunFailure", "rerunError"})
_POINT = re.compile(r"(not )?ok\b[ \t]*(\d+)?(?:[ \t]*-[ \t]*|[ \t]+|$)(.*)")
_PLAN = re.compile(r"1\.\.(\d+)\s*(?:#.*)?")
_DIRECTIVE = re.compile(r"(?:^|[^\\])#\s*(skip|todo)\b", re.IGNORECASE)


class ReportError(ValueError):
    """A report that is not what its format demands."""


def read_report(kind: str, data: bytes) -> Mapping[str, str]:
    """Test id -> passed, failed or skipped. `kind` is one of `KINDS`. One id twice is an error."""
    if len(data) > REPORT_BYTES_MAX:
        raise ReportError(f"the report is larger than {REPORT_BYTES_MAX} bytes")
    if kind == "junit":
        return read_junit(data)
    if kind == "tap":
        return read_tap(data)
    if kind in STRUCTURED:
        words, why = read_structured(kind, data)
        if why:
            raise ReportError(why)
        return words
    raise ReportError(f"no reader for a report of kind {kind!r}; known are {', '.join(KINDS)}")


def read_junit(data: bytes) -> Mapping[str, str]:
    """JUnit XML. An id is `classname::name`, or `name` without a class. Document types and entities are refused."""
    reader = _JUnit()
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ReportError(f"the report is no XML: {error}") from None
    return reader.finish()


class _JUnit:
    """Collects test cases while the parser walks."""

    def __init__(self) -> None:
        self.results: dict[str, str] = {}
        self.path: list[str] = []
        self.id, self.word = "", PASSED
        self.claims: list[tuple[int, int]] = []
        self.bad = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse

    def refuse(self, *_: object) -> None:
        """A document type can hold entities; no honest report needs one."""
        raise ReportError("the report declares a document type")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element opens."""
        if not self.path and tag not in ("testsuite", "testsuites"):
            raise ReportError(f"the report's root is {tag}, not testsuite or testsuites")
        if len(self.path) >= DEPTH_MAX:
            raise ReportError(f"the report is more than {DEPTH_MAX} elements deep")
        inside = self.path[-1] if self.path else ""
        self.path.append(tag)
        if tag == "testcase":
            self.open_case(attributes)
        elif inside == "testcase" and tag in _BAD:
            self.word = FAILED
        elif inside == "testcase" and tag == "skipped" and self.word == PASSED:
            self.word = SKIPPED
        elif tag in ("testsuite", "testsuites"):
            self.claims.append((self.bad, _count(attributes, "failures") + _count(attributes, "errors")))

    def open_case(self, attributes: dict[str, str]) -> None:
        """A test case opens."""
        if "testcase" in self.path[:-1]:
            raise ReportError("a testcase stands inside a testcase")
        name, group = attributes.get("name", ""), attributes.get("classname", "")
        self.id, self.word = (f"{group}::{name}" if group else name), PASSED
        if not name:
            raise ReportError("a testcase has no name")
        if self.id in self.results:
            raise ReportError(f"the id {self.id} stands twice in the report")

    def end(self, tag: str) -> None:
        """An element closes; a suite that claims more failures than its cases show gives the lie."""
        self.path.pop()
        if tag == "testcase":
            self.results[self.id] = self.word
            self.bad += self.word == FAILED
        elif tag in ("testsuite", "testsuites"):
            before, claimed = self.claims.pop()
            if claimed > self.bad - before:
                raise ReportError(f"a suite counts {claimed} failures, its cases show {self.bad - before}")

    def finish(self) -> Mapping[str, str]:
        """The results, once the document is whole."""
        return self.results


def _count(attributes: dict[str, str], name: str) -> int:
    text = attributes.get(name, "0") or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ReportError(f"{name}={text!r} is no count")
    return int(text)


def read_tap(data: bytes) -> Mapping[str, str]:
    """TAP 13 or 14. An id is a test point's description, or its number without one. Indented subtests are not read."""
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        raise ReportError("the report is not UTF-8") from None
    reader = _Tap()
    for number, line in enumerate(lines, 1):
        reader.line(number, line)
    return reader.finish()


class _Tap:
    """Collects test points line by line."""

    def __init__(self) -> None:
        self.results: dict[str, str] = {}
        self.plan: int | None = None
        self.count = 0
        self.in_yaml = False
        self.closed = False

    def line(self, number: int, line: str) -> None:
        """One line; what TAP does not know is an error."""
        if self.in_yaml or line.startswith("  ---"):
            self.in_yaml = not line.startswith("  ...")
        elif not line.strip() or line.startswith(("#", "    ", "\t", "pragma ")):
            return
        elif line.startswith("TAP version "):
            if number != 1 or line.split()[2:] not in (["13"], ["14"]):
                raise ReportError(f"line {number}: {line!r} is no version line of TAP 13 or 14 at the top")
        elif line.startswith("Bail out!"):
            raise ReportError(f"line {number}: {line}")
        elif match := _PLAN.fullmatch(line):
            self.set_plan(number, int(match[1]))
        elif point := _POINT.fullmatch(line):
            self.point(number, *point.groups())
        else:
            raise ReportError(f"line {number} is not TAP: {line[:100]!r}")

    def set_plan(self, number: int, plan: int) -> None:
        """The plan stands once, at the beginning or the end."""
        if self.plan is not None:
            raise ReportError(f"line {number}: a second plan")
        self.plan, self.closed = plan, self.count > 0

    def point(self, number: int, bad: str | None, given: str | None, text: str) -> None:
        """A test point: number in order, description unique."""
        if self.closed:
            raise ReportError(f"line {number}: a test point after the plan at the end")
        self.count += 1
        if given is not None and int(given) != self.count:
            raise ReportError(f"line {number}: test point {given} stands where {self.count} should")
        match = _DIRECTIVE.search(text)
        described = text[: text.index("#", match.start())] if match else text
        name = described.strip().replace("\\#", "#").replace("\\\\", "\\") or str(self.count)
        if name in self.results:
            raise ReportError(f"line {number}: the id {name} stands twice in the report")
        self.results[name] = SKIPPED if match else FAILED if bad else PASSED

    def finish(self) -> Mapping[str, str]:
        """The results, if as many came as were planned."""
        if self.in_yaml:
            raise ReportError("a YAML block is not closed")
        if self.plan is None:
            raise ReportError("the report has no plan")
        if self.plan != self.count:
            raise ReportError(f"{self.plan} test points were planned, {self.count} came")
        return self.results
