"""The trees of a task as frozen: `repo/` and `hidden/` without what a pack leaves out.

Installers compile bytecode next to every Python file they unpack, built-in packs included; such files are in no
tree, no digest and no copy of ours.
"""

from __future__ import annotations

from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.packs.layout import AUDIT_FILE, LOCK_FILE
from denominator.packs.listing import checked_files, list_files
from denominator.records.trees import Tree
from denominator.wire.trees import copy_tree, read_file, read_tree, tree_digest, write_file


def frozen_tree(folder: Path) -> Tree:
    """The tree of a pack's folder; an absent folder is the empty tree."""
    if not folder.is_dir():
        return Tree(entries=(), digest=tree_digest(()))
    listing = list_files(folder)
    kept = {file.path for file in listing.files}
    tree = read_tree(folder, trusted=True)
    problems = [*listing.refused, *(Problem(refused.path, refused.why) for refused in tree.refused)]
    if problems:
        raise InputError("the folder holds what a pack cannot freeze", where=str(folder), problems=problems)
    entries = tuple(entry for entry in tree.entries if entry.path in kept)
    return Tree(entries=entries, digest=tree_digest(entries))


def copy_frozen(folder: Path, dest: Path) -> Tree:
    """A pristine copy of `repo/` or `hidden/` at `dest` (which must not exist), in plain modes; returns its tree."""
    tree = frozen_tree(folder)
    if folder.is_dir():
        copy_tree(folder, dest, tree)
    else:
        dest.mkdir(mode=0o755)
    return tree


def copy_pack(root: Path, dest: Path) -> Path:
    """A private copy of the files that the pack's digest covers, its lock and its audit, at `dest` (which must not exist).

    A run that works from such a copy meets no bytecode of installers, and nobody edits it in mid-run. It holds hidden
    tests and gold: only its owner may look inside.
    """
    files = [file.path for file in checked_files(root)]
    dest.mkdir(mode=0o700, parents=True)
    for path in [*files, *(name for name in (LOCK_FILE, AUDIT_FILE) if (root / name).is_file())]:
        executable = (root / path).stat().st_mode & 0o100
        write_file(dest, path, read_file(root, path), 0o755 if executable else 0o644)
    return dest
