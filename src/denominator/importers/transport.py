"""Patches beside the rows, looked at as bytes: what carrying them about may have done to them. Nothing is applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from denominator.importers.attempts import Built
from denominator.importers.files import basename

ENDINGS = (".diff", ".patch")
HEADER = re.compile(rb"^(?:diff --git |--- |\+\+\+ |@@ -)[^\n]*$", re.MULTILINE)
HUNK = re.compile(rb"^@@ -\d+(?:,(\d{1,18}))? \+\d+(?:,(\d{1,18}))? @@[^\n]*\n?", re.MULTILINE)
OLD = re.compile(rb"^--- (?:a/)?([^\t\r\n]+)", re.MULTILINE)
NO_NEWLINE = b"\\ No newline at end of file"
Files = Sequence[tuple[str, bytes]]


def is_patch(name: str) -> bool:
    """Is this a patch by its name?"""
    return basename(name).lower().endswith(ENDINGS)


def note_patches(built: Built, files: Files) -> tuple[str, ...]:
    """Notes on the rows whose patch lies beside them (in a folder, or under a name, of the task's id); all of them."""
    told: list[str] = []
    for place, row in enumerate(built.rows):
        for name, data in sorted(files):
            if is_patch(name) and row.key.task_id in _owners(name):
                found = [f"{name}: {what}" for what in damage(data, files)]
                built.rows[place] = replace(built.rows[place], notes=(*built.rows[place].notes, *found))
                told += found
    return tuple(dict.fromkeys(told))


def _owners(name: str) -> tuple[str, ...]:
    """Ids that a patch's path names: the folders above it, and its own name without the ending."""
    *folders, last = name.replace("\\", "/").split("/")
    return (*folders, last.rpartition(".")[0])


def damage(data: bytes, files: Files = ()) -> Iterable[str]:
    """What is wrong with the bytes of a patch, in words; nothing when they look as git writes them."""
    if not data.strip():
        yield "the patch is empty"
        return
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        yield "a byte order mark stands before the patch"
        return
    if any(line.endswith(b"\r") for line in HEADER.findall(data)):
        yield "line endings were rewritten in transport: its own header lines end in CR LF"
    elif b"\r\n" not in data and any(b"\r\n" in base for base in _bases(data, files)):
        yield "line endings were rewritten in transport: the base has CR LF, the patch has none"
    if not data.endswith(b"\n"):
        yield "its last newline is missing: the patch was cut"
    elif _short(data):
        yield "a hunk is shorter than its header says: the patch was cut"


def _bases(data: bytes, files: Files) -> Iterable[bytes]:
    """The files beside the rows that the patch changes."""
    for path in OLD.findall(data):
        name = path.decode("utf-8", "replace")
        yield from (base for other, base in files if other == name or other.endswith(f"/{name}"))


def _short(data: bytes) -> bool:
    """Does some hunk hold fewer old or new lines than it announces?"""
    heads = list(HUNK.finditer(data))
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(data)
        old, new = (int(count) if count is not None else 1 for count in head.groups())
        for line in data[head.end() : end].splitlines():
            if line.startswith(b"diff --git ") or (old <= 0 and new <= 0):
                break
            old -= line[:1] in (b" ", b"-") or not line
            new -= line[:1] in (b" ", b"+") or not line
        if old > 0 or new > 0:
            return True
    return False
