"""What a gold patch changes, read without applying it, and whether it fits the repository."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.wire.trees import FileDiff, parse_unified, patched_files, read_file


@dataclass(frozen=True, slots=True)
class Gold:
    """Paths touched, (path, line) added, the text, files as it leaves them; `problem`: why it is no patch of this repository."""

    paths: tuple[str, ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    text: str = ""
    problem: str = ""
    results: tuple[tuple[str, bytes], ...] = ()


def read_gold(data: bytes, repo: Path) -> Gold:
    """Read a unified diff and try it on the repository in memory."""
    text = data.decode("utf-8", "replace")
    try:
        diffs = parse_unified(data)
    except DenominatorError as error:
        return Gold(text=text, problem=str(error.what))
    paths = tuple(sorted({path for diff in diffs for path in (diff.old, diff.new) if path}))
    added = tuple((diff.new, line) for diff in diffs for line in _added(diff))
    try:
        files = patched_files(lambda path: _content(repo, path), diffs)
    except DenominatorError as error:
        return Gold(paths, added, text, f"{error.where} {error.what}".strip())
    results = tuple((path, content[0]) for path, content in files.items() if content is not None)
    return Gold(paths, added, text, "", results)


def _added(diff: FileDiff) -> list[str]:
    lines = []
    for hunk in diff.hunks:
        old = set(hunk.old)
        lines += [line.decode("utf-8", "replace").rstrip("\n") for line in hunk.new if line not in old]
    return lines


def _content(repo: Path, path: str) -> tuple[bytes, int] | None:
    try:
        data = read_file(repo, path)
    except OSError:
        return None
    return data, 0o755 if (repo / path).stat().st_mode & 0o100 else 0o644
