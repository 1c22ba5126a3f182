"""What the harness itself wrote beside an instance: how applying ended, its own errors, how the test output ends.

A patch and its tests can print anything, so a text counts only where the harness wrote it: at the head of a message of
run_instance.log, in its errors, and at the very end of test_output.txt.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from denominator.errors import InputError
from denominator.readers.logs import SIGNATURES, LogRead, hints_of
from denominator.readers.logs.frames import Piece
from denominator.readers.logs.match import Matcher
from denominator.readers.logs.shape import Hit
from denominator.records.facts import Hint
from denominator.wire.sources import Source

LOG_BYTES = 16 << 20
CHUNK = 1 << 20
TAIL = 4096
OVERLAP = 64
MESSAGE = re.compile(rb"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - (?:[^\n]{1,80}? - )?([A-Z]+) - ", re.MULTILINE)
ERRORS = (b"ERROR", b"WARNING", b"CRITICAL")
OWN_ERRORS = (b"Traceback (most recent call last)", b"Error ", b"Container ")
APPLIED, NOT_APPLIED = b">>>>> Applied Patch", b">>>>> Patch Apply Failed"
STOPPED = re.compile(rb"Test timed out after [0-9_.]+ seconds")
RESULT = re.compile(rb"^Result for [^\n]{1,200}: resolved: (True|False)\s*\Z", re.MULTILINE)
RUNTIME = re.compile(rb"\ATest runtime: ([0-9_]{1,12}(?:\.[0-9]{1,6})?) seconds")
CUT = re.compile(rb"Timeout error: [0-9_.]+ seconds exceeded\.?\s*\Z")
BEGIN, END = b">>>>> Start Test Output", b">>>>> End Test Output"
EXIT = re.compile(rb">>>>> Test Exit Code: ([0-9]{1,3})\s*\Z")
RED = re.compile(rb"\b(?:FAILED|FAIL|FAILURES?|failed|failing|ERRORS?|not ok)\b|\xe2\x9c\x95|\xe2\x9c\x97")
"""Words by which test runners name a test that did not pass."""
LETTERS = "SBH"
"""Whose words are looked for: set-up, sandbox, harness. The harness of SWE-bench calls no model, and the tests print elsewhere."""


@dataclass(frozen=True, slots=True)
class RunLog:
    """What run_instance.log says: `applied` and `resolved` are None where it says nothing."""

    applied: bool | None = None
    stopped: bool = False
    resolved: bool | None = None
    grade_ms: int | None = None
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    """How test_output.txt ends. `exit` is the status that the harness writes behind it; `red`: a test is called failed in it."""

    begun: bool = False
    ended: bool = False
    cut: bool = False
    exit: int | None = None
    red: bool = False

    @property
    def denies(self) -> bool:
        """Did the test command fail although nothing that was printed did? Then what was printed proves nothing."""
        return bool(self.exit) and not self.red


def read_run_log(files: Source, name: str, matcher: Matcher | None = None) -> RunLog:
    """The harness's own messages. InputError: damaged, or longer than such a log can be."""
    data = files.read(name, LOG_BYTES)
    applied = resolved = grade = None
    stopped = False
    hits: list[Hit] = []
    for offset, level, text in _messages(data):
        if text.startswith(NOT_APPLIED):
            applied = False
        elif text.startswith(APPLIED):
            applied = True
        elif text.startswith(b"report: ") and (found := RESULT.search(text)):
            resolved = found[1] == b"True"
        elif found := RUNTIME.match(text):
            grade = int(Decimal(found[1].decode().replace("_", "")) * 1000)
        elif level in ERRORS or text.startswith(OWN_ERRORS):
            stopped = stopped or STOPPED.search(text) is not None
            applied = False if NOT_APPLIED in text.split(b"\n")[0] else applied
            piece = Piece("harness", "err", offset, -1, text, True)
            hits += () if NOT_APPLIED in text else (matcher or Matcher(SIGNATURES)).hits(piece, (), LETTERS)
    read = LogRead(
        name=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data), head=b"", tail=b"", formatted=True, span_ms=0,
        hits=tuple(sorted(hits)),
    )  # fmt: skip
    return RunLog(applied, stopped, resolved, grade, hints_of(read))


def _messages(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """(offset of the text, level, text) of each message; a message goes on until the next one begins."""
    before = None
    for found in MESSAGE.finditer(data):
        if before is not None:
            yield before.end(), before[1], data[before.end() : found.start()]
        before = found
    if before is not None:
        yield before.end(), before[1], data[before.end() :]


def read_output(files: Source, name: str) -> Output:
    """The markers of a test output and its end, as bytes, whatever its encoding and its size."""
    begun = ended = red = False
    rest = tail = b""
    try:
        with files.open(name) as stream:
            while chunk := stream.read(CHUNK):
                text = rest + chunk
                begun, ended = begun or BEGIN in text, ended or END in text
                red = red or RED.search(text) is not None
                rest, tail = text[-OVERLAP:], (tail + chunk)[-TAIL:]
    except InputError:
        return Output(begun, ended)
    exit_ = EXIT.search(tail)
    return Output(begun, ended, CUT.search(tail) is not None, int(exit_[1]) if exit_ else None, red)
