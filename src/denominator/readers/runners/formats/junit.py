"""JUnit XML, as pytest, Surefire, Gradle, nextest, vitest, node and many converters write it.

Shape: `testsuites` > `testsuite` (nested or not) > `testcase` with `failure`, `error` or `skipped` inside. An id is
`classname::name`, or `name` without a class. A skip of type `pytest.xfail`, `XFAIL` or `todo` is an expected failure. A
case that passed after failures (`flakyFailure`) is flaky: both results were seen, so neither is proved. A suite that
counts more tests or failures than its cases show gives the lie, and a document type (entities) is refused outright.
pytest writes `error` for what is not the test's own body; others write it for any exception of a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from denominator.readers.runners.formats.chunks import peek
from denominator.readers.runners.formats.junitkinds import kind_of
from denominator.readers.runners.formats.nodefiles import is_node_file
from denominator.readers.runners.formats.xmlbytes import cleaned, is_utf8
from denominator.readers.runners.shape import ERROR, FAILED, PASSED, SKIPPED, TEXT_MAX, XFAILED
from denominator.readers.runners.tally import Tally

DEPTH_MAX = 60
BAD = {
    "failure": FAILED,
    "error": ERROR,
    "rerunFailure": FAILED,
    "rerunError": FAILED,
}
FLAKY = ("flakyFailure", "flakyError")
XFAIL_TYPES = ("pytest.xfail", "xfail", "todo")
SUITES = ("testsuite", "testsuites")
FLAVOURS = {"pytest": "pytest", "nextest-run": "cargo-nextest", "jest tests": "jest", "vitest tests": "vitest"}
HALF = TEXT_MAX // 2


def read(parts: Iterator[bytes], tally: Tally) -> None:
    """The whole document, chunk by chunk; where it stops being XML the report is cut short."""
    head, parts = peek(parts)
    reader = _JUnit(tally)
    try:
        plain = is_utf8(head)
        parser = reader.open(expat.ParserCreate("utf-8" if plain else None))
        for part in cleaned(parts) if plain else parts:
            parser.Parse(part, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        tally.spoil(f"the report is not whole XML ({error})")
    except _RefusedError as error:
        tally.refuse(str(error))
    except (ValueError, LookupError) as error:
        tally.spoil(f"the report cannot be decoded ({error})")


class _RefusedError(Exception):
    """Nothing in this document is believed."""


class _JUnit:
    """Collects test cases while the parser walks."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.path: list[str] = []
        self.claims: list[tuple[int, int, int, int]] = []
        self.bad, self.shown = 0, 0
        self.id, self.word, self.kind, self.offset = "", PASSED, "", 0
        self.text, self.tail = "", ""

    def open(self, parser: expat.XMLParserType) -> expat.XMLParserType:
        self.parser = parser
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.refuse
        parser.EntityDeclHandler = self.refuse
        return parser

    def refuse(self, *_: object) -> None:
        """A document type can hold entities; no honest report needs one."""
        raise _RefusedError("the report declares a document type")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self.path and tag not in SUITES:
            raise _RefusedError(f"the report's root is {tag[:100]}, not testsuite or testsuites")
        if len(self.path) >= DEPTH_MAX:
            raise _RefusedError(f"the report is more than {DEPTH_MAX} elements deep")
        inside = self.path[-1] if self.path else ""
        self.path.append(tag)
        if tag == "testcase":
            self.open_case(attributes)
        elif inside == "testcase" and (tag in BAD or tag in FLAKY or tag == "skipped"):
            self.result(tag, attributes)
        elif tag in SUITES:
            self.suite(attributes)
        elif tag == "error" and inside in SUITES:
            self.outside(attributes)

    def suite(self, attributes: dict[str, str]) -> None:
        name = attributes.get("name", "")
        self.tally.runner = self.tally.runner or FLAVOURS.get(name, "")
        if any("surefire" in value for value in attributes.values()):
            self.tally.runner = self.tally.runner or "maven"
        claimed = [attributes.get(word, "0") or "0" for word in ("failures", "errors", "tests")]
        counts = [int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1 for text in claimed]
        if min(counts) < 0:
            self.tally.spoil("a suite's count is no number")
        self.claims.append((self.bad, counts[0] + counts[1], self.shown, counts[2]))

    def open_case(self, attributes: dict[str, str]) -> None:
        if "testcase" in self.path[:-1]:
            raise _RefusedError("a testcase stands inside a testcase")
        name, group = attributes.get("name", ""), attributes.get("classname", "")
        self.id, self.word, self.kind = (f"{group}::{name}" if group else name), PASSED, ""
        self.offset, self.text, self.tail = self.parser.CurrentByteIndex, "", ""
        if not name:
            self.tally.spoil("a testcase has no name")
        if "_FailedTest" in group:
            self.kind = "collection"

    def result(self, tag: str, attributes: dict[str, str]) -> None:
        """What a case has beside its name; the worst of several counts."""
        message = attributes.get("message", "")
        self.characters(message + "\n")
        if tag == "skipped":
            if self.word == PASSED:
                self.word = XFAILED if attributes.get("type", "").lower() in XFAIL_TYPES else SKIPPED
            return
        if tag in FLAKY:
            self.tally.again(self.id)
            return
        if self.word == XFAILED:
            return
        self.word = FAILED if self.word == FAILED else BAD[tag]
        self.kind = self.kind or kind_of(tag, message, attributes.get("type", ""), self.id, self.tally.runner)

    def outside(self, attributes: dict[str, str]) -> None:
        """An error of a suite itself (a module that could not be loaded)."""
        self.bad += 1
        self.tally.outside("collection", attributes.get("message", ""), self.parser.CurrentByteIndex)

    def characters(self, data: str) -> None:
        """Head and tail of what a bad case says: a long traceback ends with what it was."""
        if len(self.path) > 1 and self.path[-1] in BAD:
            room = HALF - len(self.text)
            self.text += data[:room]
            self.tail = (self.tail + data[room:])[-HALF:] if len(data) > room else self.tail

    def end(self, tag: str) -> None:
        self.path.pop()
        if tag == "testcase":
            self.bad += self.word in (FAILED, ERROR)
            self.shown += 1
            self.close_case()
        elif tag in SUITES:
            bad_before, bad, before, claimed = self.claims.pop()
            if bad > self.bad - bad_before:
                self.tally.spoil(f"a suite counts {bad} failures, its cases show {self.bad - bad_before}")
            if claimed > self.shown - before:
                self.tally.spoil(f"a suite counts {claimed} tests, {self.shown - before} are shown")

    def close_case(self) -> None:
        """A passed case that is only node's word for a whole file is no test."""
        is_bad = self.word in (FAILED, ERROR)
        if not is_bad and is_node_file(self.id.removeprefix("test::")):
            return
        self.tally.case(self.id, self.word, self.kind if is_bad else "", self.text + self.tail, self.offset)
