"""The trees of a task as frozen: `repo/` and `hidden/` without what a pack leaves out.

Installers compile bytecode next to every Python file they unpack, built-in packs included; such files are in no
tree, no digest and no copy of ours.
"""

from __future__ import annotations

from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.packs.listing import list_files
from denominator.records.trees import Tree
from denominator.wire.trees import copy_tree, read_tree, tree_digest


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
