"""Text printed while a patch was graded that calls tests passed which the report calls failed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from denominator.ports import Graded
from denominator.readers.logs import ClaimBook
from denominator.readers.logs.view import view_of
from denominator.records.events import Json

CASE = re.compile(
    rb"<testcase\b[^<>]{0,2000}?\bname=(?:\"([^\"<>]{1,300})\"|'([^'<>]{1,300})')[^<>]{0,2000}?(?:/>|>\s{0,200}</testcase>)"
)
"""A test case of a JUnit report with nothing in it, which is a passed one."""
SUMMARY = re.compile(
    rb"[= \t]*(?:(?:Tests:|test result: ok\.)[ \t]+)?([0-9]{1,7}) pass(?:ed|ing)\b[^\r\n]{0,200}"
    rb"|Ran ([0-9]{1,7}) tests? in [^\r\n]{1,60}\s{1,8}OK\b"
    rb"|# pass ([0-9]{1,7})\b"
)
"""A runner's last words: pytest, jest, cargo, mocha; unittest; TAP of node."""
NOT_ALL = re.compile(rb"\b(?!0\b)[0-9]+ (?:fail|error)", re.IGNORECASE)
TAP_OK = re.compile(rb"ok[ \t]+[0-9]{1,9}\b(?![^\r\n]*#[ \t]*(?:skip|todo))", re.IGNORECASE)
LINES_MAX = 200_000


def printed_facts(graded: Graded) -> dict[str, Json]:
    """`forged_output`, where the text claims any pass. It decides nothing: printed text was never read for a grade."""
    texts = [view_of(stream).text for stream in (graded.ended.stdout, graded.ended.stderr)]
    book = ClaimBook()
    for text in texts:
        book.read(text)
    claimed = {_short(name) for name in (*book.claims().passed, *(name for text in texts for name in _cases(text)))}
    most = max((count for text in texts for count in _counts(text)), default=0)
    if not claimed and not most:
        return {}
    denied = {_short(name) for name in (*graded.failed, *graded.skipped, *graded.missing)}
    named = claimed & (denied - {_short(name) for name in graded.passed})
    return {"forged_output": bool(named) or (bool(denied) and _too_many(graded, most))}


def _too_many(graded: Graded, most: int) -> bool:
    """Does a total say that more tests passed than did? At G1 the pack's own command may run other tests beside these."""
    return graded.level != "G1" and most > len({*graded.passed, *graded.other}) + graded.sentinels_expected


def _cases(text: bytes) -> Iterator[str]:
    for found in CASE.finditer(text) if b"<testcase" in text else ():
        yield html.unescape((found[1] or found[2]).decode("utf-8", "replace"))


def _counts(text: bytes) -> Iterator[int]:
    """Numbers of passed tests in totals that tell of no failure, and of TAP lines that say ok."""
    if b"pass" in text or b"Ran " in text:
        for found in SUMMARY.finditer(text):
            starts = found.start() == 0 or text[found.start() - 1 : found.start()] in b"\r\n"
            if starts and not NOT_ALL.search(found[0]):
                yield int(next(group for group in found.groups() if group))
    if b"ok " in text:
        yield sum(TAP_OK.match(line) is not None for line in text.split(b"\n", LINES_MAX))


def _short(name: str) -> str:
    """The last part of a test id: lines and reports name files and classes in different ways."""
    head, bracket, parameters = name.partition(" (")[0].strip().partition("[")
    return head.rpartition("::")[2].rpartition(".")[2] + bracket + parameters
