"""Which lines changed since a commit, as git says. A document without lines is changed as a whole."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError, MachineError
from denominator.quote.shape import Said

HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(?P<start>\d+)(?:,(?P<count>\d+))? @@")
GIT = ("git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false")
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Changes:
    """Ranges of lines by file; an empty range list of a file that is there means all of it (new, or not a text)."""

    lines: Mapping[str, tuple[tuple[int, int], ...]]

    def touches(self, path: Path) -> bool:
        """Did anything of this file change?"""
        return os.path.realpath(path) in self.lines

    def holds(self, path: Path, said: Said) -> bool:
        """Is a finding of a sentence that changed?"""
        ranges = self.lines.get(os.path.realpath(path), ())
        first, last = min(said.line, said.first or said.line), max(said.line, said.last)
        return not ranges or not said.line or any(first <= end and start <= last for start, end in ranges)


def changes_since(ref: str, paths: Sequence[Path]) -> Changes:
    """The lines of some files that differ from a commit. Raises InputError: no repository, no such commit."""
    if ref.startswith("-") or not ref.strip():
        raise InputError(f"{ref!r} names no commit", where="--changed-since", fix="a branch, a tag or a commit")
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for path in paths:
        folder, name = path.parent, path.name
        if not _git(folder, "ls-files", "--error-unmatch", "--", name).ok:
            found[os.path.realpath(path)] = ()
            continue
        done = _git(folder, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "-U0", ref, "--", name)
        if not done.ok:
            raise InputError(f"git knows no commit {ref!r} here", where="--changed-since", fix=done.said)
        if done.out:
            found[os.path.realpath(path)] = _ranges(done.out)
    return Changes(found)


@dataclass(frozen=True, slots=True)
class _Done:
    ok: bool
    out: str
    said: str


def _git(folder: Path, *words: str) -> _Done:
    try:
        done = subprocess.run([*GIT, *words], cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MachineError(f"git cannot be asked ({error})", where="--changed-since", fix="install git") from None
    return _Done(
        not done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")[:300]
    )


def _ranges(diff: str) -> tuple[tuple[int, int], ...]:
    """New lines of each hunk. Where lines were only taken out, the two beside them are what changed."""
    found = []
    for one in diff.split("\n"):
        if hunk := HUNK.match(one):
            start, count = int(hunk["start"]), int(hunk["count"] or "1")
            found.append((start, start + count - 1) if count else (start, start + 1))
    return tuple(found)
