"""Which files and modules a traceback, a compiler or a loader names. Texts are cut first, so that no pattern runs long."""

from __future__ import annotations

import re

from denominator.readers.runners.shape import TEXT_MAX

NAMED_MAX = 100
_FILE = re.compile(
    r"(?<![A-Za-z0-9_@+.~/\\-])([A-Za-z0-9_@+.~/\\-]{1,400}\.[A-Za-z]{1,6})(?=\", line \d|'|\"|:\d|:\[\d|\(\d| line \d)"
)
_MODULES = (
    re.compile(r"No module named '?([A-Za-z0-9_.]{1,200})'?"),
    re.compile(r"cannot import name '?[A-Za-z0-9_]{1,200}'? from (?:partially initialized module )?'?([A-Za-z0-9_.]{1,200})"),
    re.compile(r"module '([A-Za-z0-9_.]{1,200})' has no attribute"),
    re.compile(r"Cannot find module '([^'\s]{1,300})'"),
    re.compile(r"Failed to resolve import \"([^\"\s]{1,300})\""),
    re.compile(r"unresolved import `([A-Za-z0-9_:]{1,200})`"),
)  # fmt: skip
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def clip(text: str) -> str:
    """Head and tail of a text: a traceback ends with what it was."""
    if len(text) <= TEXT_MAX:
        return text
    half = TEXT_MAX // 2
    return f"{text[:half]}\n[...]\n{text[-half:]}"


def view(data: bytes, most: int = 4 * TEXT_MAX) -> str:
    """Bytes for reading: replaced where they are no text, without colour codes; head and tail of long ones."""
    if len(data) > most:
        data = data[: most // 2] + b"\n[...]\n" + data[-(most // 2) :]
    return _COLOUR.sub("", data.decode("utf-8", "replace"))


def files_in(text: str) -> tuple[str, ...]:
    """Paths that stand where tracebacks and compilers put a path: before a line number or a closing quote."""
    found = dict.fromkeys(match[1].replace("\\", "/") for match in _FILE.finditer(clip(text)))
    return tuple(found)[-NAMED_MAX:]


def modules_in(text: str) -> tuple[str, ...]:
    """Modules that could not be imported, or that lack a name which was asked of them."""
    short = clip(text)
    found = [match[1].strip(".") for pattern in _MODULES for match in pattern.finditer(short)]
    return tuple(dict.fromkeys(found))[:NAMED_MAX]
