"""A slow walk over JSON text that knows where it is, used only to say what is wrong with a refused document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from denominator.wire.numbers import decimal_of

DEPTH_MAX = 64
FAULTS_MAX = 20

TOKEN = re.compile(
    r"""[ \t\n\r]*(?:(?P<mark>[{}\[\],:])|(?P<text>"[^"\\]*(?:\\.[^"\\]*)*")"""
    r"""|(?P<bare>[^\s{}\[\],:"]+)|(?P<other>\S|\Z))""",
    re.DOTALL,
)
LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: what, the path of keys to it, and its offset in characters."""

    what: str
    path: tuple[str | int, ...]
    offset: int
    fix: str = ""


@dataclass(slots=True)
class _Box:
    """An open object or array while walking: the keys seen, and the key or index being read."""

    is_object: bool
    seen: set[str] = field(default_factory=set)
    step: str | int = 0
    wants_key: bool = True


def _path(stack: list[_Box]) -> tuple[str | int, ...]:
    return tuple(box.step for box in stack if not (box.is_object and box.step == 0))


def walk(text: str) -> Iterator[tuple[str, str, int, list[_Box]]]:
    """Yields (kind, token, offset, open boxes); kinds: open close key again text bare end (a key seen before)."""
    stack: list[_Box] = []
    at = 0
    while match := TOKEN.match(text, at):
        token, start = match[match.lastgroup or 0], match.start(match.lastgroup or 0)
        at = match.end()
        if match.lastgroup == "other":
            yield "end", token, start, stack
            return
        box = stack[-1] if stack else None
        if token in ("{", "["):
            stack.append(_Box(token == "{"))
            yield "open", token, start, stack
        elif token in ("}", "]"):
            if stack:
                stack.pop()
            yield "close", token, start, stack
        elif token == ",":
            _next(box)
        elif match.lastgroup == "text" and box is not None and box.is_object and box.wants_key:
            yield _key(box, token), token, start, stack
        elif token != ":":
            yield match.lastgroup or "", token, start, stack


def _next(box: _Box | None) -> None:
    if box is not None and box.is_object:
        box.wants_key = True
    elif box is not None and isinstance(box.step, int):
        box.step += 1


def _key(box: _Box, token: str) -> str:
    box.step, box.wants_key = unescaped(token), False
    kind = "again" if box.step in box.seen else "key"
    box.seen.add(box.step)
    return kind


ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def unescaped(token: str) -> str:
    """The text of a JSON string token, half surrogates kept as they are."""

    def one(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) == 5 else SHORT.get(code, code)

    return PAIR.sub(_joined, ESCAPE.sub(one, token[1:-1]))


def _joined(match: re.Match[str]) -> str:
    return chr(0x10000 + ((ord(match[1]) - 0xD800) << 10) + (ord(match[2]) - 0xDC00))


def faults(text: str, floats: str) -> tuple[Fault, ...]:
    """What strict reading refuses in text that the plain parser took, at most `FAULTS_MAX` of them."""
    return tuple(islice(_faults(text, floats), FAULTS_MAX))


def _faults(text: str, floats: str) -> Iterator[Fault]:
    for kind, token, start, stack in walk(text):
        if kind == "open" and len(stack) > DEPTH_MAX:
            yield Fault(f"nested more than {DEPTH_MAX} deep", _path(stack[:8]), start)
            return
        what, fix = _wrong(kind, token, floats)
        if what:
            yield Fault(what, _path(stack), start, fix)


def _wrong(kind: str, token: str, floats: str) -> tuple[str, str]:
    if kind == "again":
        return "the key is written twice", "keep one of them"
    if kind in ("key", "text") and LONE.search(unescaped(token)):
        return "half of a surrogate pair is no character", ""
    if kind == "bare" and token not in ("true", "false", "null"):
        return _wrong_number(token, floats)
    return "", ""


def _wrong_number(token: str, floats: str) -> tuple[str, str]:
    if token.lstrip("-") in ("NaN", "Infinity"):
        return f"{token} is no JSON number", "an unmeasured value is left out or null"
    if token.lstrip("-").isdigit():
        return ("an integer with too many digits", "") if len(token) > 4300 else ("", "")
    if decimal_of(token) is None:
        return f"{token[:40]} is outside the range of numbers", ""
    if floats == "refuse":
        return f"{token[:40]} is no integer", "decimal numbers are written as text"
    return "", ""


def path_at(text: str, offset: int) -> tuple[str | int, ...]:
    """The key that is being read at an offset, as far as the text before it tells."""
    last: tuple[Any, ...] = ()
    for _kind, _token, start, stack in walk(text):
        if start > offset or len(stack) > DEPTH_MAX:
            break
        last = _path(stack)
    return last
