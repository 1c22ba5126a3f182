"""cargo's JSON lines: libtest's suites and tests, and compiler messages, which may stand in one stream.

`{"type":"suite"|"test","event":...}` come from test binaries, `{"reason":...}` from cargo. An id is the test's name.
A compiler message of level error is a build trouble with the files of its spans; a suite without an end makes the
report incomplete (the process died, or the file was cut). Other lines are noise.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.readers.runners.formats.chunks import as_object, dicts_in, int_of, lines, text_of
from denominator.readers.runners.shape import FAILED, PASSED, SKIPPED
from denominator.readers.runners.tally import Tally

WORDS = {"ok": PASSED, "failed": FAILED, "ignored": SKIPPED}


def read(parts: Iterator[bytes], tally: Tally) -> None:
    """The whole stream, line by line."""
    tally.runner = tally.runner or "cargo"
    reader = _Libtest(tally)
    torn = False
    for offset, raw, complete in lines(parts):
        torn = False
        if raw.startswith(b"{"):
            message = as_object(raw) if complete else None
            torn = message is None
            if message is not None:
                reader.message(offset, message)
    if torn:
        tally.spoil("the last message is cut off")
    reader.finish()


class _Libtest:
    """Suites one after the other; each must end as it says it will."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.open: dict[str, int] | None = None
        self.build_errors = 0
        self.suites = 0

    def message(self, offset: int, message: dict[str, object]) -> None:
        kind, event = text_of(message.get("type")), text_of(message.get("event"))
        if kind == "suite":
            self.suite(event, message)
        elif kind == "test" and event in WORDS:
            self.test(offset, event, message)
        elif message.get("reason") == "compiler-message":
            self.compiler(offset, message.get("message"))
        elif message.get("reason") == "build-finished" and message.get("success") is False and not self.build_errors:
            self.build_errors += 1
            self.tally.outside("build", "the build finished without success", offset)

    def suite(self, event: str, message: dict[str, object]) -> None:
        self.suites += 1
        if event == "started":
            self.close_open()
            self.open = dict.fromkeys(WORDS, 0)
            return
        if self.open is None:
            self.tally.spoil("a suite ends that did not begin")
            return
        for word, name in (("ok", "passed"), ("failed", "failed"), ("ignored", "ignored")):
            claimed = int_of(message.get(name))
            if claimed is not None and claimed != self.open[word]:
                self.tally.spoil(f"a suite counts {claimed} {name}, its tests show {self.open[word]}")
        if event not in ("ok", "failed") or (event == "ok") != (self.open["failed"] == 0):
            self.tally.spoil(f"a suite ends with {event[:50]!r}, which its tests do not show")
        self.open = None

    def test(self, offset: int, event: str, message: dict[str, object]) -> None:
        name = text_of(message.get("name"))
        if not name:
            self.tally.spoil("a test has no name")
        elif self.open is None:
            self.tally.spoil("a test stands outside every suite")
        else:
            self.open[event] += 1
        self.tally.case(name, WORDS[event], "", text_of(message.get("stdout")), offset)

    def compiler(self, offset: int, message: object) -> None:
        """Only errors; their spans say which file, and macro expansions need no following."""
        if not isinstance(message, dict) or message.get("level") != "error":
            return
        spans = dicts_in(message.get("spans"))
        files = tuple(dict.fromkeys(text_of(span.get("file_name")) for span in spans[:50]))
        if not files and text_of(message.get("message")).startswith(("aborting due to", "could not compile")):
            return
        self.build_errors += 1
        said = text_of(message.get("rendered")) or text_of(message.get("message"))
        self.tally.outside("build", said, offset, tuple(name for name in files if name))

    def close_open(self) -> None:
        if self.open is not None:
            self.tally.spoil("a suite began and did not end")
        self.open = None

    def finish(self) -> None:
        self.close_open()
        if not self.suites and not self.build_errors:
            self.tally.spoil("no suite of tests is shown")
