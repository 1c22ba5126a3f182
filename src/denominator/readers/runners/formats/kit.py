"""The report of our own grading kit: frames `<number> <code> <json>` (docs/formats/grading.md), for runs of our own.

The grader has checked every frame against the secret of its grading; a report that it found forged is never read here.
Sentinels and counter-tests are the grader's business, so only expected ids count. A frame `report` holds a document of
another format, which is then the report.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator

from denominator.readers.runners.formats import gojson, jestjson, junit, libtest, pytestjson, tap
from denominator.readers.runners.formats.chunks import as_object, int_of, lines, text_of
from denominator.readers.runners.shape import FAILED, PASSED, SKIPPED
from denominator.readers.runners.tally import Tally

WORDS = {"passed": PASSED, "failed": FAILED, "skipped": SKIPPED}
INNER: dict[str, Callable[[Iterator[bytes], Tally], None]] = {
    "go-json": gojson.read,
    "jest-json": jestjson.read,
    "junit": junit.read,
    "libtest": libtest.read,
    "pytest-json": pytestjson.read,
    "tap": tap.read,
}
"""What a frame `report` may hold."""


def read(parts: Iterator[bytes], tally: Tally) -> None:
    """The frames in order, up to the end that they must have."""
    tally.only_expected = True
    for number, (offset, raw, complete) in enumerate(lines(parts)):
        fields = raw.split(b" ", 2)
        frame = as_object(fields[2]) if complete and len(fields) == 3 and fields[0] == str(number).encode() else None
        if frame is None:
            tally.spoil(f"frame {number} is malformed")
            return
        _take(frame, offset, tally)
    if tally.exit is None:
        tally.spoil("the grading came to no end")


def _take(frame: dict[str, object], offset: int, tally: Tally) -> None:
    kind, why = text_of(frame.get("kind")), text_of(frame.get("why"))
    if kind == "hello":
        tally.runner = text_of(frame.get("runner")) or tally.runner
    elif kind == "test":
        word = WORDS.get(text_of(frame.get("word")), FAILED)
        tally.case(text_of(frame.get("id")), word, "", why, offset)
    elif kind == "error":
        tally.outside("collection", why, offset)
    elif kind in ("broken", "crash"):
        tally.outside("internal", why, offset)
    elif kind == "report":
        _inner(frame, tally)
    elif kind == "end":
        tally.exit = int_of(frame.get("code"))


def _inner(frame: dict[str, object], tally: Tally) -> None:
    try:
        data = base64.b64decode(text_of(frame.get("data")), validate=True)
    except ValueError:
        tally.spoil("the report's bytes are malformed")
        return
    read_inner = INNER.get(text_of(frame.get("format")))
    if read_inner is None or not data:
        tally.spoil("the command left no report that is known" if not data else "the report's format is not known")
        return
    tally.only_expected = False
    read_inner(iter((data,)), tally)
