"""What a grading reported, read from the bytes of its pipe (written by kit/runner/frames.py)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, kw_only=True)
class Report:
    """The frames of one grading, in order.

    `results` holds the words seen per id, `forged` says what no runner of ours would write, `torn` that the last
    line is cut off. `end` is the runner's exit status, or None when it came to no end.
    """

    hello: bool = False
    loading: bool = False
    collected: tuple[str, ...] | None = None
    results: dict[str, list[str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    broken: str = ""
    crash: str = ""
    file: tuple[str, bytes] | None = None
    end: int | None = None
    forged: str = ""
    lied: str = ""
    torn: bool = False


class _ForgedError(Exception):
    """A line that this grading's runner did not write."""


def read_frames(data: bytes, nonce: str, level: str) -> Report:
    """Every frame up to the first one that is forged. A `broken` after `loading` counts at level G3 only."""
    report = Report()
    *lines, rest = data.split(b"\n")
    report.torn = bool(rest)
    try:
        for number, line in enumerate(lines):
            if report.end is not None:
                raise _ForgedError("something was reported after the end")
            _take(report, _frame(line, number, nonce), level)
        if report.end is not None and rest:
            raise _ForgedError("something was reported after the end")
    except _ForgedError as forged:
        report.forged = str(forged)
    return report


def _frame(line: bytes, number: int, nonce: str) -> dict[str, Any]:
    parts = line.split(b" ", 2)
    if len(parts) != 3 or parts[0] != str(number).encode():
        raise _ForgedError(f"frame {number} is malformed")
    text = parts[0] + b" " + parts[2]
    code = hashlib.blake2b(text, key=bytes.fromhex(nonce), digest_size=16).hexdigest()
    if not hmac.compare_digest(parts[1], code.encode()):
        raise _ForgedError(f"frame {number} does not carry this grading's secret")
    try:
        frame = json.loads(parts[2])
    except (ValueError, RecursionError):
        raise _ForgedError(f"frame {number} is no JSON") from None
    if not isinstance(frame, dict) or not isinstance(frame.get("kind"), str):
        raise _ForgedError(f"frame {number} has no kind")
    return frame


def _take(report: Report, frame: dict[str, Any], level: str) -> None:
    """One frame into the report; an order that our runner never writes is forged."""
    kind = frame["kind"]
    if (kind == "hello") == report.hello:
        raise _ForgedError("the frames are out of order")
    if kind in ("collected", "test", "error", "lied", "report", "crash", "end") and not report.loading:
        raise _ForgedError(f"{kind} came before loading")
    try:
        _store(report, kind, frame, level)
    except (KeyError, TypeError, ValueError):
        raise _ForgedError(f"a frame of kind {kind} is malformed") from None


def _store(report: Report, kind: str, frame: dict[str, Any], level: str) -> None:
    if kind == "hello":
        report.hello = True
    elif kind == "loading":
        report.loading = True
    elif kind == "collected":
        report.collected = tuple(_text(item) for item in frame["ids"])
    elif kind == "test":
        id_, word = _text(frame["id"]), _word(frame["word"])
        report.results.setdefault(id_, []).append(word)
    elif kind == "broken" and (not report.loading or level == "G3"):
        report.broken = _text(frame["why"])
    elif kind in ("error", "broken"):
        report.errors.append(_text(frame["why"]))
    elif kind == "lied":
        report.lied = _text(frame["why"])
    elif kind == "crash":
        report.crash = _text(frame["why"])
    elif kind == "report":
        report.file = (_text(frame["format"]), _bytes(frame["data"]))
    elif kind == "end":
        report.end = _code(frame["code"])
    else:
        raise ValueError(kind)


def _text(value: object) -> str:
    if type(value) is not str:
        raise TypeError
    value.encode()
    return value


def _word(value: object) -> str:
    if value not in ("passed", "failed", "skipped"):
        raise ValueError
    return str(value)


def _code(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 255:
        raise ValueError
    return value


def _bytes(value: object) -> bytes:
    return base64.b64decode(_text(value), validate=True)
