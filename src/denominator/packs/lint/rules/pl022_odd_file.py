"""A file is of a kind that a pack cannot freeze, or that nobody can read.

Why: a link points out of what is frozen; a binary can hold what lint searches for and cannot see.
Bad: a symlink or a device; a compiled program in repo/; an executable bit on prompt.md.
Good: regular text files, executable only where a script is run.
Fix: replace links by copies, and say in the task why a binary is needed. Links and devices block, binaries and odd
bits are notes.
"""

from collections.abc import Iterator
from pathlib import Path

from denominator.packs.lint.material import TEXT_BYTES_MAX, Material
from denominator.packs.lint.shape import Rule
from denominator.packs.listing import Listed, list_files
from denominator.records.findings import Finding

_SCRIPT_SUFFIXES = ("", ".sh", ".py", ".pl", ".rb", ".bash", ".js")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Refused kinds, then unreadable contents, then executable bits."""
    root = Path(pack.found.root)
    listing = list_files(root)
    for problem in listing.refused:
        yield rule.finding(pack.pack.id, problem.what, where=problem.where, fix=problem.fix)
    for file in listing.files:
        if what := _oddity(root, file):
            yield rule.finding(
                pack.pack.id, what, where=file.path, fix="say in the task why it is needed", severity="note"
            )


def _oddity(root: Path, file: Listed) -> str:
    if file.executable and Path(file.path).suffix.lower() not in _SCRIPT_SUFFIXES:
        return "executable, but no script"
    data = (root / file.path).read_bytes() if file.size <= TEXT_BYTES_MAX else b""
    if file.size > TEXT_BYTES_MAX:
        return "too large to be searched for leaks"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "not UTF-8: it cannot be searched for leaks"
    return "binary: it cannot be searched for leaks" if "\0" in text else ""


RULE = Rule("PL022", "odd-file", __doc__, check)
