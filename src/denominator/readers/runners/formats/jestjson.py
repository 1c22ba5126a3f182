"""jest's and vitest's JSON: files (`testResults`) with assertion results. Read whole, so larger ones are refused.

An id is `file::describe > title`; without the file, and jest's `fullName`, are aliases. A file that failed without one
assertion result could not be loaded. Numbers that do not fit what is shown, or an interrupted run, make it incomplete.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.readers.runners.formats.chunks import as_object, dicts_in, int_of, text_of, whole
from denominator.readers.runners.shape import FAILED, PASSED, SKIPPED
from denominator.readers.runners.tally import Tally

WORDS = {
    "passed": PASSED,
    "failed": FAILED,
    "pending": SKIPPED,
    "skipped": SKIPPED,
    "disabled": SKIPPED,
    "todo": SKIPPED,
}


def read(parts: Iterator[bytes], tally: Tally) -> None:
    """The whole document at once."""
    data = whole(parts)
    document = as_object(data) if data is not None else None
    if document is None or data is None:
        tally.spoil("the report is larger than is read" if data is None else "the report is no whole JSON object")
        return
    tally.runner = tally.runner or ("jest" if "wasInterrupted" in document else "vitest")
    files = dicts_in(document.get("testResults"))
    if not isinstance(document.get("testResults"), list) or len(files) != len(document["testResults"]):  # type: ignore[arg-type]
        tally.spoil("the report has no list of test files")
    shown = {PASSED: 0, FAILED: 0}
    for file in files:
        _file(file, data, tally, shown)
    for name, word in (("numPassedTests", PASSED), ("numFailedTests", FAILED)):
        claimed = int_of(document.get(name))
        if claimed is None or claimed != shown[word]:
            tally.spoil(f"{name} is {claimed}, the files show {shown[word]}")
    if document.get("wasInterrupted") is True:
        tally.spoil("the run was interrupted")


def _file(file: dict[str, object], data: bytes, tally: Tally, shown: dict[str, int]) -> None:
    """One test file: its assertion results, or that it did not load."""
    name = text_of(file.get("name"))
    results = dicts_in(file.get("assertionResults"))
    for result in results:
        word = WORDS.get(text_of(result.get("status")), "")
        if not word:
            tally.spoil(f"a result has the status {str(result.get('status'))[:50]!r}")
            continue
        if word in shown:
            shown[word] += 1
        titles = result.get("ancestorTitles")
        parents = [text_of(title) for title in titles] if isinstance(titles, list) else []
        title = " > ".join([*parents, text_of(result.get("title"))])
        tally.case(f"{name}::{title}", word)
        for alias in {title, text_of(result.get("fullName"))} - {""}:
            tally.alias(alias, word)
    bad = any(text_of(result.get("status")) == "failed" for result in results)
    if text_of(file.get("status")) == "failed" and not bad:
        tally.outside("collection" if not results else "setup", text_of(file.get("message")), tally.place(data, name))
