"""`go test -json`: one event a line. An id is `package::Test` or `package::Test/sub`; without its package it is an alias.

A test with subtests is no test of its own unless it failed while none of them did. A package that failed to build says
`FailedBuild` or prints `[build failed]`; one that hung prints `panic: test timed out`, after which its failures are the
hang's. A test that began and never ended, in a package that failed, died with the process. A package without an end
makes the report incomplete. Lines that are no events belong to compilers; older versions say there what did not build.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from denominator.readers.runners.formats.chunks import as_object, lines, text_of
from denominator.readers.runners.shape import ERROR, FAILED, IDS_MAX, PASSED, SKIPPED, TEXT_MAX
from denominator.readers.runners.tally import Tally

WORDS = {"pass": PASSED, "fail": FAILED, "skip": SKIPPED}
BEGUN = "begun"
SIGNS = ("[build failed]", "[setup failed]")
PACKAGES_MAX = 20_000


@dataclass(slots=True)
class _Package:
    tests: dict[str, tuple[str, int]] = field(default_factory=dict)
    again: list[tuple[str, str, int]] = field(default_factory=list)
    ended: str = ""
    hung: bool = False
    build: str = ""
    offset: int = 0
    said: list[str] = field(default_factory=list)
    size: int = 0

    def hear(self, text: str) -> None:
        if self.size < TEXT_MAX:
            self.said.append(text[: TEXT_MAX - self.size])
            self.size += len(self.said[-1])


def read(parts: Iterator[bytes], tally: Tally) -> None:
    """The whole stream, event by event."""
    tally.runner = tally.runner or "go"
    reader = _Go(tally)
    torn = False
    for offset, raw, complete in lines(parts):
        torn = False
        if not raw.startswith(b"{"):
            reader.plain(offset, raw.decode("utf-8", "replace"))
            continue
        event = as_object(raw) if complete else None
        if event is None:
            torn = b'"Action":"output"' not in raw[:400]
            continue
        reader.event(offset, event)
    if torn:
        tally.spoil("the last event is cut off")
    reader.finish()


class _Go:
    """Packages and what was built, as the events come."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.packages: dict[str, _Package] = {}
        self.builds: dict[str, _Package] = {}
        self.count = 0
        self.said = _Package()

    def plain(self, offset: int, line: str) -> None:
        """Older versions say outside every event what did not build; compilers print before it."""
        if line.startswith("FAIL\t") and line.rstrip().endswith(SIGNS):
            self.tally.outside("build", "".join(self.said.said), offset)
            self.said = _Package()
        else:
            self.said.hear(line + "\n")

    def event(self, offset: int, event: dict[str, object]) -> None:
        action, name = text_of(event.get("Action")), text_of(event.get("Package"))
        if action.startswith("build-"):
            self.build(offset, action, event)
            return
        if not name or not action:
            return
        if name not in self.packages and len(self.packages) >= PACKAGES_MAX:
            self.tally.spoil("it holds more packages than are read")
            return
        package = self.packages.setdefault(name, _Package(offset=offset))
        test = text_of(event.get("Test"))
        if action == "output":
            self.output(package, text_of(event.get("Output")), test)
        elif test:
            self.test(package, test, action, offset)
        elif action in WORDS:
            package.ended, package.offset = action, offset
            package.build = package.build or text_of(event.get("FailedBuild"))

    def build(self, offset: int, action: str, event: dict[str, object]) -> None:
        built = self.builds.setdefault(text_of(event.get("ImportPath")), _Package(offset=offset))
        if action == "build-output":
            built.hear(text_of(event.get("Output")))

    def output(self, package: _Package, text: str, test: str) -> None:
        if text.startswith("panic: test timed out after "):
            package.hung = True
        if not test:
            package.hear(text)
            if text.startswith("FAIL\t") and text.rstrip().endswith(SIGNS) and not package.tests:
                package.build = package.build or text

    def test(self, package: _Package, test: str, action: str, offset: int) -> None:
        """A test that ends again (`-count`, reruns) is reported again."""
        before = package.tests.get(test)
        if before is None:
            self.count += 1
            if self.count > IDS_MAX:
                self.tally.spoil("it holds more ids than are read")
                return
        if action == "run" and before is None:
            package.tests[test] = (BEGUN, offset)
        elif action in WORDS:
            word = ERROR if action == "fail" and package.hung else WORDS[action]
            if before is not None and before[0] != BEGUN and len(package.again) < IDS_MAX:
                package.again.append((test, *before))
            package.tests[test] = (word, offset)

    def finish(self) -> None:
        for name, package in self.packages.items():
            self.close(name, package)
        if not self.packages and self.builds:
            for built in self.builds.values():
                self.tally.outside("build", "".join(built.said), built.offset)

    def close(self, name: str, package: _Package) -> None:
        if not package.ended:
            self.tally.spoil(f"package {name} has no end")
        bad = self.report_tests(name, package)
        if package.ended != "fail":
            return
        if package.build:
            built = self.builds.get(package.build)
            self.tally.outside("build", "".join(built.said if built else package.said), package.offset)
        elif package.hung and not bad:
            self.tally.outside("timeout", "".join(package.said), package.offset)
        elif not bad:
            self.tally.outside("worker", "".join(package.said), package.offset)

    def report_tests(self, name: str, package: _Package) -> int:
        """Every test's word; how many are bad."""
        parents = {test.rpartition("/")[0] for test in package.tests if "/" in test}
        bad_below = _parents_of_bad(package)
        bad, said = 0, "".join(package.said)
        for test, (word, offset) in package.tests.items():
            kind = "timeout" if package.hung else "raised"
            if word == BEGUN:
                if package.ended != "fail":
                    self.tally.spoil(f"test {test[:200]} began and did not end")
                    continue
                word = ERROR
            if test in parents and (word not in (FAILED, ERROR) or test in bad_below):
                self.tally.alias(f"{name}::{test}", word)
            else:
                self.tally.case(f"{name}::{test}", word, kind if word == ERROR else "", said, offset)
                bad += word in (FAILED, ERROR)
            self.tally.alias(test, word)
        for test, word, offset in package.again:
            self.tally.case(f"{name}::{test}", word, "", "", offset)
        return bad


def _parents_of_bad(package: _Package) -> set[str]:
    """Every ancestor of a test that is bad."""
    found: set[str] = set()
    for test, (word, _) in package.tests.items():
        if word in (FAILED, ERROR, BEGUN):
            parts = test.split("/")
            found |= {"/".join(parts[:end]) for end in range(1, min(len(parts), 50))}
    return found
