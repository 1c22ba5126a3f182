"""A patch as text for people: a unified diff that `parse_unified` reads back."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from denominator.records.trees import Change, Patch

SHOWN_BYTES = 1 << 20


def unified(patch: Patch, read_old: Callable[[str], bytes], get_blob: Callable[[str], bytes]) -> str:
    """The patch as a git-style diff. `read_old` gives the bytes of a path of the base, `get_blob` those by digest.

    Files that are not text or are larger than 1 MiB are named and not shown; refused paths follow as comments.
    """
    out: list[str] = []
    for change in patch.changes:
        out += _file(change, read_old, get_blob)
    out += [f"# refused: {note}\n" for note in patch.refused]
    return "".join(out)


def _file(change: Change, read_old: Callable[[str], bytes], get_blob: Callable[[str], bytes]) -> Iterator[str]:
    yield f"diff --git {_quoted('a/' + change.path)} {_quoted('b/' + change.path)}\n"
    yield from _modes(change)
    if change.op == "chmod" or change.kind != "file":
        return
    old = b"" if change.op in ("add", "retype") else read_old(change.path)
    new = b"" if change.op == "delete" else get_blob(change.blob)
    before, after = _text(old), _text(new)
    if before is None or after is None:
        yield f"# {change.path}: {len(old)} -> {len(new)} bytes, not shown as text\n"
        return
    if before != after:
        yield f"--- {'/dev/null' if change.op in ('add', 'retype') else _quoted('a/' + change.path, tab=True)}\n"
        yield f"+++ {'/dev/null' if change.op == 'delete' else _quoted('b/' + change.path, tab=True)}\n"
        yield from _hunks(_lines(before), _lines(after))


def _modes(change: Change) -> Iterator[str]:
    if change.op == "retype":
        yield "# was a link or a device\n"
    if change.op in ("add", "retype"):
        yield f"new file mode 100{change.mode:o}\n"
    if change.op == "delete":
        yield f"deleted file mode 100{change.mode:o}\n"
    if change.op == "chmod":
        yield f"old mode 100{0o755 if change.mode == 0o644 else 0o644:o}\nnew mode 100{change.mode:o}\n"
    if change.renamed_from:
        yield f"# the same bytes as {change.renamed_from} had\n"


def _hunks(before: list[str], after: list[str]) -> Iterator[str]:
    lines = difflib.unified_diff(before, after, lineterm="")
    for line in list(lines)[2:]:
        if line.startswith("@@"):
            yield f"{line}\n"
        elif line.endswith("\n"):
            yield line
        else:
            yield f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Split at newlines only; a form feed or a lone carriage return is part of its line."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _text(data: bytes) -> str | None:
    if len(data) > SHOWN_BYTES or b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _quoted(path: str, *, tab: bool = False) -> str:
    if any(char in path for char in '"\\'):
        return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{path}\t" if tab and " " in path else path
