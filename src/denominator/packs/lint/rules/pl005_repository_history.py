"""The snapshot carries a version-control history.

Why: the fix of a real project lies in its history, and agents look there; a snapshot starts as one commit that the
harness makes.
Bad: `repo/.git`, `repo/.hg`, a `.bundle` or a `.patch` of later commits.
Good: files only.
Fix: remove the folder. It is not searched: git is never run on files of others outside a sandbox.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.packs.listing import Listed
from denominator.records.findings import Finding

_FOLDERS = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "_darcs"})
_SUFFIXES = (".bundle", ".orig", ".rej")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Histories and left-overs of patches, at any depth."""
    for item in pack.tasks:
        folders = set(_histories(item.repo_files))
        if (item.paths.repo / ".git").exists():
            folders.add(".git")
        for folder in sorted(folders):
            where = f"{item.relative(item.paths.repo)}/{folder}"
            yield rule.finding(item.task.id, f"the repository brings a history: {folder}", where=where, fix="remove it")
        for file in item.repo_files:
            if file.path.endswith(_SUFFIXES):
                where = f"{item.relative(item.paths.repo)}/{file.path}"
                yield rule.finding(item.task.id, "a left-over that may hold later work", where=where, fix="remove it")


def _histories(files: tuple[Listed, ...]) -> Iterator[str]:
    for file in files:
        parts = file.path.split("/")
        for at, part in enumerate(parts):
            if part in _FOLDERS:
                yield "/".join(parts[: at + 1])
                break


RULE = Rule("PL005", "repository-history", __doc__, check)
