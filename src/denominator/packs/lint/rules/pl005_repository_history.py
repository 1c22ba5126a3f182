"""Later work can be read by the agent: a version-control history, or left-overs of patches.

Why: the fix of a real project lies in its history, and agents look there; a snapshot starts as one commit that the
harness makes.
Bad: `repo/.git`, `repo/.hg`, a bare repository under another name, a `.bundle` or `.orig` file; an image in which commits
newer than the base are reachable by a branch, a tag, the stash or a reflog.
Good: files only. Nothing that is called `.git` is ever copied for an agent, so a `git` source is held to the same rule.
Fix: remove the folder. What it holds is listed from its files: git is never run on files of others outside a sandbox.
"""

from collections.abc import Iterator

from denominator.packs.lint.history import is_git_folder, what_git_holds
from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.packs.listing import Listed
from denominator.records.findings import Finding

_FOLDERS = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "_darcs"})
_SUFFIXES = (".bundle", ".orig", ".rej")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Histories and left-overs of patches, at any depth; and what a listing calls newer than the base."""
    for item in pack.tasks:
        yield from _folders(rule, item)
        for file in item.repo_files:
            if file.path.endswith(_SUFFIXES):
                where = item.in_repo(file.path)
                yield rule.finding(item.task.id, "a left-over that may hold later work", where=where, fix="remove it")
        if item.newer:
            base = f" {item.task.source.commit}" if item.task.source.commit else ""
            what = f"{len(item.newer)} reachable objects newer than base{base}: {', '.join(item.newer)}"
            yield rule.finding(item.task.id, what, where=item.where, fix="ship one commit without history")


def _folders(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    folders = {*_histories(item.repo_files), *_bare(item.repo_files)}
    if item.states("folder") and (item.paths.repo / ".git").exists():
        folders.add(".git")
    for folder in sorted(folders):
        holds = what_git_holds(item.paths.repo / folder) if item.states("folder") else ()
        what = f"the repository brings a history: {folder}" + (f", with {', '.join(holds)}" if holds else "")
        yield rule.finding(item.task.id, what, where=item.in_repo(folder), fix="remove it")


def _bare(files: tuple[Listed, ...]) -> Iterator[str]:
    """Repositories without a work tree, whatever they are called."""
    inside: dict[str, set[str]] = {}
    for file in files:
        parts = file.path.split("/")
        for at in range(1, len(parts)):
            inside.setdefault("/".join(parts[:at]), set()).add(parts[at])
    for folder, names in inside.items():
        if is_git_folder(frozenset(names)) and not _FOLDERS & set(folder.split("/")):
            yield folder


def _histories(files: tuple[Listed, ...]) -> Iterator[str]:
    for file in files:
        parts = file.path.split("/")
        for at, part in enumerate(parts):
            if part in _FOLDERS:
                yield "/".join(parts[: at + 1])
                break


RULE = Rule("PL005", "repository-history", __doc__, check, cards=True)
