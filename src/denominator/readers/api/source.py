"""Bytes of one Python file -> text, lines, tree; or why it cannot be read. The same answer under every interpreter."""

from __future__ import annotations

import ast
import difflib
import io
import re
import sys
import tokenize
import warnings
from collections import Counter
from dataclasses import dataclass

BYTES_MAX = 1_000_000
DEPTH_MAX = 150
GRAMMAR = (3, 11)
PARSE_ERROR = "parse error (grammar of Python 3.11)"
"""One text for all: which error comes first, and where, differs between interpreters."""
DIFF_LINES_MAX = 3000
NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A readable file. Lines count from 1 in `line`."""

    text: str
    lines: tuple[str, ...]
    tree: ast.Module

    def line(self, number: int) -> str:
        """One line of text, "" beyond the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file was not read."""

    why: str


def parse(data: bytes) -> Parsed | Unreadable:
    """Reads Python source with the grammar of 3.11, whatever runs this."""
    if len(data) > BYTES_MAX:
        return Unreadable(f"more than {BYTES_MAX} bytes")
    text = decode(data)
    if text is None:
        return Unreadable("not text in the encoding that it declares")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, feature_version=GRAMMAR)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Unreadable(PARSE_ERROR)
    if too_deep(tree):
        return Unreadable(f"nested deeper than {DEPTH_MAX}")
    if sys.version_info >= (3, 12) and newer_text(text):
        return Unreadable(PARSE_ERROR)
    return Parsed(text, tuple(NEWLINE.split(text)), tree)


def decode(data: bytes) -> str | None:
    """The text by its byte order mark or coding line, UTF-8 otherwise."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None


def too_deep(tree: ast.AST) -> bool:
    """Is anything nested deeper than we walk? Each `elif` is one level."""
    level: list[ast.AST] = [tree]
    for _ in range(DEPTH_MAX):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


def newer_text(text: str) -> bool:
    """Does an f-string hold what 3.11 refuses: its own quote, a backslash or a comment inside a replacement field?"""
    quotes: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind in ("FSTRING_START", "STRING") and quotes:
            own = token.string.lstrip("rRbBfFuU")[:1]
            if any(own == outer[:1] and (len(outer) == 1 or token.string.count(outer)) for outer in quotes):
                return True
            if "\\" in token.string:
                return True
        if kind == "COMMENT" and quotes:
            return True
        if kind == "FSTRING_START":
            quotes.append(token.string.lstrip("rRbBfFuU"))
        elif kind == "FSTRING_END":
            quotes.pop()
        elif kind in ("NL", "NEWLINE") and any(len(outer) == 1 for outer in quotes):
            return True
    return False


def added_lines(before: bytes | None, after: Parsed) -> frozenset[int]:
    """Numbers of the lines that the patch added to a file; all of them in a new file."""
    every = frozenset(range(1, len(after.lines) + 1))
    old = decode(before) if before is not None else None
    if old is None:
        return every
    a, b = list(NEWLINE.split(old)), list(after.lines)
    start = _same_start(a, b)
    end = _same_start(a[start:][::-1], b[start:][::-1])
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    if max(len(a), len(b)) > DIFF_LINES_MAX:
        return _added_by_count(a, b, start)
    codes = difflib.SequenceMatcher(None, a, b).get_opcodes()
    return frozenset(start + 1 + j for tag, _, _, low, high in codes if tag != "equal" for j in range(low, high))


def _same_start(a: list[str], b: list[str]) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((i for i, (x, y) in pairs if x != y), min(len(a), len(b)))


def _added_by_count(a: list[str], b: list[str], start: int) -> frozenset[int]:
    """Where a real difference would take too long: a line is added when it stands there more often than before."""
    left = Counter(a)
    out = set()
    for index, line in enumerate(b):
        if left[line] > 0:
            left[line] -= 1
        else:
            out.add(start + 1 + index)
    return frozenset(out)
