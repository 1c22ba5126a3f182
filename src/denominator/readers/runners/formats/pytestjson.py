"""The JSON of pytest's json-report plugin: `exitcode`, `summary`, `collectors`, `tests`. Read whole.

An id is pytest's node id. An outcome `error` is a fixture's or teardown's; a collector that failed could not load its
module, and an outcome `rerun` is flaky. A number of tests that `summary` denies makes the report incomplete.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from denominator.readers.runners.formats.chunks import as_object, dicts_in, int_of, text_of, whole
from denominator.readers.runners.shape import ERROR, FAILED, PASSED, SKIPPED, XFAILED, XPASSED
from denominator.readers.runners.tally import Tally

WORDS = {
    "passed": PASSED,
    "failed": FAILED,
    "error": ERROR,
    "skipped": SKIPPED,
    "xfailed": XFAILED,
    "xpassed": XPASSED,
    "rerun": PASSED,
}


_CRASHED = re.compile(r"(?m)^worker '[^']{1,50}' crashed while running ")


def read(parts: Iterator[bytes], tally: Tally) -> None:
    """The whole document at once."""
    data = whole(parts)
    document = as_object(data) if data is not None else None
    if document is None or data is None:
        tally.spoil("the report is larger than is read" if data is None else "the report is no whole JSON object")
        return
    tally.runner = tally.runner or "pytest"
    tally.exit = int_of(document.get("exitcode"))
    for collector in dicts_in(document.get("collectors")):
        if collector.get("outcome") == "failed":
            where = text_of(collector.get("nodeid"))
            tally.outside("collection", text_of(collector.get("longrepr")) or where, tally.place(data, where))
    if not isinstance(document.get("tests"), list):
        if document.get("tests") is not None or not document.get("collectors"):
            tally.spoil("the report has no list of tests")
        return
    tests = dicts_in(document.get("tests"))
    for test in tests:
        _test(test, data, tally)
    summary = document.get("summary")
    total = int_of(summary.get("total")) if isinstance(summary, dict) else None
    if total is not None and total != len(tests):
        tally.spoil(f"the summary counts {total} tests, {len(tests)} are shown")


def _test(test: dict[str, object], data: bytes, tally: Tally) -> None:
    id_, outcome = text_of(test.get("nodeid")), text_of(test.get("outcome"))
    word = WORDS.get(outcome, "")
    if not id_ or not word:
        tally.spoil(f"a test has the outcome {outcome[:50]!r}" if id_ else "a test has no id")
        return
    if outcome == "rerun":
        tally.again(id_)
    said = "\n".join(filter(None, (_phase(phase) for phase in test.values()))).strip()
    kind = "worker" if _CRASHED.search(said) else "setup" if word == ERROR else ""
    tally.case(id_, word, kind, said, tally.place(data, id_) if kind else 0)


def _phase(phase: object) -> str:
    return text_of(phase.get("longrepr")) if isinstance(phase, dict) else ""
