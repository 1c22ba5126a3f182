"""Applies a unified diff (git's form too) to a folder, exactly or not at all; inside the sandbox git is not needed."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
    b'"': b'"',
    b"\\": b"\\",
}
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_NOTHING = b"/dev/null"


class PatchError(Exception):
    """The diff cannot be read, or does not fit the tree."""


@dataclass
class FilePatch:
    """What the diff says about one file. Empty names mean: no such side."""

    old: str = ""
    new: str = ""
    mode: int = 0
    hunks: list[tuple[int, list[bytes], list[bytes]]] = field(default_factory=list)


def apply(diff: bytes, root: Path) -> list[str]:
    """Applies `diff` below `root` and returns the paths touched; raises `PatchError` before anything is written."""
    files = parse(diff)
    results = [(file, _content(file, root)) for file in files]
    for file, content in results:
        _write(file, content, root)
    return sorted({name for file in files for name in (file.old, file.new) if name})


def parse(diff: bytes) -> list[FilePatch]:
    """Reads a diff into one entry a file."""
    lines = diff.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    files: list[FilePatch] = []
    at = 0
    while at < len(lines):
        at = _header_line(lines, at, files)
    if not files:
        raise PatchError("the diff holds no file")
    return files


def _header_line(lines: list[bytes], at: int, files: list[FilePatch]) -> int:
    line = lines[at]
    if line.startswith(b"diff --git "):
        files.append(_git_names(line))
    elif line.startswith(b"--- ") and at + 1 < len(lines) and lines[at + 1].startswith(b"+++ "):
        if not files or files[-1].hunks:
            files.append(FilePatch())
        files[-1].old, files[-1].new = _name(line[4:]), _name(lines[at + 1][4:])
        return at + 2
    elif line.startswith(b"@@ ") and files:
        return _hunk(lines, at, files[-1])
    elif line.startswith((b"GIT binary patch", b"Binary files ")):
        raise PatchError("binary changes cannot be applied")
    elif files:
        _extended(line, files[-1])
    return at + 1


def _git_names(line: bytes) -> FilePatch:
    rest = line[len(b"diff --git ") :]
    half = len(rest) // 2
    # Without a rename both names are equal, so the line splits in its middle; renames bring lines of their own.
    if rest[half : half + 1] == b" " and rest[:half].lstrip(b'"')[2:] == rest[half + 1 :].lstrip(b'"')[2:]:
        return FilePatch(old=_name(rest[:half]), new=_name(rest[half + 1 :]))
    return FilePatch()


def _extended(line: bytes, file: FilePatch) -> None:
    word = line.split(b" ")
    if line.startswith(b"new file mode "):
        file.old, file.mode = "", int(word[-1], 8)
    elif line.startswith(b"deleted file mode "):
        file.new = ""
    elif line.startswith(b"new mode "):
        file.mode = int(word[-1], 8)
    elif line.startswith(b"rename from "):
        file.old = _plain(line[len(b"rename from ") :])
    elif line.startswith(b"rename to "):
        file.new = _plain(line[len(b"rename to ") :])
    elif line.startswith(b"copy from "):
        raise PatchError("copies are not supported; make the diff without -C")


def _name(raw: bytes) -> str:
    # A name may be followed by a tab: git marks the end of names with spaces so, diff puts a date after it.
    name = _plain(raw[: raw.rfind(b'"') + 1] if raw.startswith(b'"') else raw.partition(b"\t")[0])
    if name == _NOTHING.decode():
        return ""
    return name[2:] if name[:2] in ("a/", "b/") else name


def _plain(raw: bytes) -> str:
    raw = raw.rstrip(b"\r")
    if raw.startswith(b'"') and raw.endswith(b'"') and len(raw) > 1:
        raw = _ESCAPE.sub(lambda m: _LETTERS.get(m[1]) or bytes([int(m[1], 8)]), raw[1:-1])
    return os.fsdecode(raw)


def _hunk(lines: list[bytes], at: int, file: FilePatch) -> int:
    match = _HUNK.match(lines[at])
    if match is None:
        raise PatchError(f"line {at + 1}: not a hunk header")
    left, right = int(match[2] or 1), int(match[4] or 1)
    before: list[bytes] = []
    after: list[bytes] = []
    touched: list[list[bytes]] = []
    at += 1
    while at < len(lines) and (len(before) < left or len(after) < right or lines[at].startswith(b"\\")):
        mark, text = lines[at][:1], lines[at][1:] + b"\n"
        if mark == b"\\":
            for side in touched:
                side[-1] = side[-1][:-1]
        elif mark in (b" ", b"-", b"+", b""):
            touched = [side for side, out in ((before, b"+"), (after, b"-")) if mark != out]
            for side in touched:
                side.append(text if mark else b"\n")
        else:
            raise PatchError(f"line {at + 1}: not a line of a hunk")
        at += 1
    if (len(before), len(after)) != (left, right):
        raise PatchError("a hunk is cut off")
    file.hunks.append((int(match[1]), before, after))
    return at


def _content(file: FilePatch, root: Path) -> bytes | None:
    """The file's new bytes, or None when it is to be removed."""
    for name in (file.old, file.new):
        _inside(name)
    target = root / file.old if file.old else None
    if target is None and (root / file.new).exists():
        raise PatchError(f"{file.new}: is to be new and exists")
    if target is not None and not target.is_file():
        raise PatchError(f"{file.old}: no such file")
    lines = _LINE.findall(target.read_bytes()) if target is not None else []
    shift = 0
    for start, before, after in file.hunks:
        at = (start - 1 if before else start) + shift
        if lines[at : at + len(before)] != before or at < 0:
            raise PatchError(f"{file.old or file.new}: the hunk at line {start} does not fit")
        lines[at : at + len(before)] = after
        shift += len(after) - len(before)
    return b"".join(lines) if file.new else None


def _inside(name: str) -> None:
    if name.startswith("/") or ".." in name.split("/"):
        raise PatchError(f"{name}: leaves the tree")


def _write(file: FilePatch, content: bytes | None, root: Path) -> None:
    old = root / file.old if file.old else None
    if content is None:
        if old is not None:
            old.unlink()
        return
    new = root / file.new
    new.parent.mkdir(parents=True, exist_ok=True)
    mode = old.stat().st_mode & 0o777 if old is not None else 0o644
    if old is not None and old != new:
        old.unlink()
    new.write_bytes(content)
    new.chmod(mode | 0o111 if file.mode & 0o100 else mode & ~0o111 if file.mode else mode)
