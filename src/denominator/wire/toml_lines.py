"""Which line of a TOML text a key stands on. Works on text that the standard parser has accepted."""

from __future__ import annotations

import re

Keys = tuple[str, ...]
Lines = dict[tuple[str | int, ...], int]

PART = re.compile(
    r"""[ \t]*(?:"(?P<basic>(?:[^"\\]|\\.)*)"|'(?P<literal>[^']*)'|(?P<bare>[A-Za-z0-9_-]+))[ \t]*(?P<dot>\.?)"""
)
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'", re.DOTALL)
SPAN = re.compile(r"""[^"'#\[\]{}\n]+""")


def lines_of(text: str) -> Lines:
    """Lines, from 1, of every table, array element and key outside inline tables."""
    text = text.replace("\r\n", "\n")
    found: Lines = {}
    counts: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    at, line = 0, 1
    while at < len(text):
        begin = at
        start, at = _statement(text, at)
        body = text[start:at]
        if body.startswith("["):
            table = _header(body, counts)
            _note(found, table, line)
        elif body and not body.startswith("#"):
            _note(found, table + _keys(body), line)
        line += text.count("\n", begin, at)
    return found


def _note(found: Lines, path: tuple[str | int, ...], line: int) -> None:
    """Notes a path and the tables that it opens on the way."""
    for size in range(1, len(path) + 1):
        found.setdefault(path[:size], line)


def _header(body: str, counts: dict[tuple[str | int, ...], int]) -> tuple[str | int, ...]:
    """The path of a table header; array names on the way stand for their last element."""
    array = body.startswith("[[")
    keys = _keys(body.lstrip("["))
    path: tuple[str | int, ...] = ()
    for position, key in enumerate(keys):
        path = (*path, key)
        if array and position == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _keys(body: str) -> Keys:
    keys: list[str] = []
    at = 0
    while match := PART.match(body, at):
        keys.append(_plain(match))
        at = match.end()
        if not match["dot"]:
            break
    return tuple(keys)


def _plain(match: re.Match[str]) -> str:
    if match["basic"] is None:
        return match["literal"] if match["literal"] is not None else match["bare"]
    return re.sub(
        r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)",
        lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else {"n": "\n", "t": "\t"}.get(m[1], m[1]),
        match["basic"],
    )


def _statement(text: str, at: int) -> tuple[int, int]:
    """Start and end of the statement at an offset: one line, or more while a bracket or a string is open."""
    while at < len(text) and text[at] in " \t":
        at += 1
    start, depth = at, 0
    while at < len(text):
        char = text[at]
        if char == "\n" and depth == 0:
            return start, at + 1
        if char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        match = STRING.match(text, at) if char in "\"'" else SPAN.match(text, at)
        if char == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        else:
            at = match.end() if match else at + 1
    return start, at
