"""Reading a git-style unified diff strictly: what is not understood is an error, never skipped."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from denominator.errors import InputError
from denominator.wire.trees.read import path_problem

_HUNK = re.compile(rb"@@ -(\d{1,18})(?:,(\d{1,18}))? \+(\d{1,18})(?:,(\d{1,18}))? @@")
_MODES = {b"100644": 0o644, b"100755": 0o755}
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_ESCAPED = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Lines (with their newline) that stand at `start` (from 0) and what they become."""

    start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]


@dataclass(slots=True, kw_only=True)
class FileDiff:
    """One file of a diff: `old` is "" for a new file, `new` for a deleted one; modes are 0 when not said."""

    old: str = ""
    new: str = ""
    old_mode: int = 0
    new_mode: int = 0
    op: str = "modify"
    hunks: list[Hunk] = field(default_factory=list)


class DiffError(InputError):
    """A diff that cannot be read or does not fit."""


def parse_unified(data: bytes) -> tuple[FileDiff, ...]:
    """The files of a diff as `git diff` writes it (text before the first file and a mail signature are let through)."""
    reader = _Reader(data)
    reader.preamble()
    files = []
    while not reader.finished():
        files.append(reader.file())
    if not files:
        raise DiffError("holds no file", where="diff", fix="give the output of `git diff`")
    return tuple(files)


class _Reader:
    """A cursor over the lines."""

    def __init__(self, data: bytes) -> None:
        self.lines = data.split(b"\n")
        if self.lines[-1] == b"":
            self.lines.pop()
        self.at = 0

    def peek(self) -> bytes:
        return self.lines[self.at] if self.at < len(self.lines) else b""

    def fail(self, what: str) -> DiffError:
        return DiffError(what, where=f"diff line {self.at + 1}")

    def preamble(self) -> None:
        """Skip a mail header; a diff without `diff --git` starts with its first `--- `."""
        starts = [n for n, line in enumerate(self.lines) if line.startswith(b"diff --git ")]
        if starts:
            self.at = starts[0]
        else:
            plain = (n for n, line in enumerate(self.lines) if line.startswith(b"--- "))
            self.at = next(plain, len(self.lines))

    def finished(self) -> bool:
        return self.at >= len(self.lines) or self.peek() == b"-- "

    def file(self) -> FileDiff:
        diff = FileDiff()
        if self.peek().startswith(b"diff --git "):
            diff.old, diff.new = self.git_names(self.peek()[11:])
            self.at += 1
            self.headers(diff)
        elif not self.peek().startswith(b"--- "):
            raise self.fail("is no part of a diff")
        if self.peek().startswith(b"--- "):
            self.names(diff)
            self.hunks(diff)
        self.check(diff)
        return diff

    def headers(self, diff: FileDiff) -> None:
        """The extended header lines of git."""
        while self.at < len(self.lines):
            word, _, rest = self.peek().partition(b" ")
            line = self.peek()
            if line.startswith((b"old mode ", b"deleted file mode ")):
                diff.old_mode = self.mode(line.rpartition(b" ")[2])
                diff.op = "delete" if word == b"deleted" else diff.op
            elif line.startswith((b"new mode ", b"new file mode ")):
                diff.new_mode = self.mode(line.rpartition(b" ")[2])
                diff.op = "add" if rest.startswith(b"file") else diff.op
            elif line.startswith((b"rename from ", b"copy from ")):
                diff.op, diff.old = word.decode(), self.name(line.partition(b" from ")[2])
            elif line.startswith((b"rename to ", b"copy to ")):
                diff.new = self.name(line.partition(b" to ")[2])
            elif line.startswith((b"GIT binary patch", b"Binary files ")):
                raise self.fail("binary files are not supported in a diff")
            elif not line.startswith((b"similarity index ", b"dissimilarity index ", b"index ")):
                return
            self.at += 1

    def names(self, diff: FileDiff) -> None:
        """The `---` and `+++` lines; they must agree with the header when there is one."""
        old = self.side(b"--- ", b"a/")
        new = self.side(b"+++ ", b"b/")
        header = diff.old or diff.new
        if not header:
            diff.op = "add" if not old else "delete" if not new else "modify"
            diff.old, diff.new = old or new, new or old
        expected = ("" if diff.op == "add" else diff.old, "" if diff.op == "delete" else diff.new)
        if (old, new) != expected:
            raise self.fail(f"names {old or '/dev/null'} and {new or '/dev/null'} do not agree with the header")

    def side(self, start: bytes, prefix: bytes) -> str:
        line = self.peek()
        if not line.startswith(start):
            raise self.fail(f"should start with {start.decode()!r}")
        self.at += 1
        rest = line[4:].removesuffix(b"\t")
        if rest == b"/dev/null":
            return ""
        raw = self.unquote(rest)
        if not raw.startswith(prefix):
            raise self.fail(f"should name a path below {prefix.decode()}")
        return self.text(raw[2:])

    def hunks(self, diff: FileDiff) -> None:
        while match := _HUNK.match(self.peek()):
            start, old_n, _, new_n = (int(group) if group is not None else 1 for group in match.groups())
            self.at += 1
            old, new = self.body(old_n, new_n)
            diff.hunks.append(Hunk(start=start - 1 if old_n else start, old=tuple(old), new=tuple(new)))
        if not diff.hunks:
            raise self.fail("should be a hunk (@@ -n,n +n,n @@)")

    def body(self, old_n: int, new_n: int) -> tuple[list[bytes], list[bytes]]:
        old: list[bytes] = []
        new: list[bytes] = []
        while len(old) < old_n or len(new) < new_n:
            if self.at >= len(self.lines):
                raise self.fail("the hunk is cut off")
            line = self.peek() or b" "
            self.at += 1
            text = line[1:] + (b"" if self.cut() else b"\n")
            if line[:1] not in (b" ", b"-", b"+"):
                self.at -= 1
                raise self.fail("is no line of a hunk")
            old += [text] if line[:1] in b" -" else []
            new += [text] if line[:1] in b" +" else []
        if len(old) != old_n or len(new) != new_n:
            raise self.fail("the hunk does not hold as many lines as its head says")
        return old, new

    def cut(self) -> bool:
        """Does a `\\ No newline at end of file` line follow? Then step over it."""
        found = self.peek().startswith(b"\\ ")
        self.at += found
        return found

    def check(self, diff: FileDiff) -> None:
        for path in {diff.old, diff.new}:
            if why := path_problem(path):
                raise self.fail(f"the path {path!r} {why}")
        if diff.op in ("modify", "add", "delete") and diff.old != diff.new:
            raise self.fail("one file has two names and no rename line")
        if diff.op == "modify" and not diff.hunks and not diff.new_mode:
            raise self.fail(f"nothing changes in {diff.new}")

    def mode(self, text: bytes) -> int:
        if text not in _MODES:
            raise self.fail(f"mode {text.decode('ascii', 'replace')} is no regular file's")
        return _MODES[text]

    def git_names(self, rest: bytes) -> tuple[str, str]:
        """Both names of a `diff --git` line; unquoted names with spaces are told apart because both sides are equal."""
        if rest.startswith(b'"') or rest.endswith(b'"'):
            parts = re.findall(rb'"(?:[^"\\]|\\.)*"|[^ ]+(?: [^" ]+)*', rest)
        else:
            half = len(rest) // 2
            even = rest[half : half + 1] == b" " and rest[2:half] == rest[half + 3 :]
            parts = [rest[:half], rest[half + 1 :]] if even else rest.split(b" b/")
            if not even and len(parts) == 2:
                parts[1] = b"b/" + parts[1]
        raw = [self.unquote(part) for part in parts]
        if len(raw) != 2 or not raw[0].startswith(b"a/") or not raw[1].startswith(b"b/"):
            return "", ""
        return self.text(raw[0][2:]), self.text(raw[1][2:])

    def name(self, raw: bytes) -> str:
        return self.text(self.unquote(raw))

    def unquote(self, raw: bytes) -> bytes:
        if not (raw.startswith(b'"') and raw.endswith(b'"') and len(raw) > 1):
            return raw
        return _ESCAPE.sub(lambda m: bytes([_ESCAPED.get(m[1]) or int(m[1], 8) & 255]), raw[1:-1])

    def text(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise self.fail("a path is not UTF-8") from None
