"""File trees: reading, digest, difference, application, and unified diffs (docs/formats/trees.md)."""

from denominator.wire.trees.apply import (
    ApplyError,
    apply_patch,
    copy_tree,
    remove_file,
    sync_tree,
    write_file,
)
from denominator.wire.trees.diff import Keep, diff_trees, patched_tree, touched
from denominator.wire.trees.fit import apply_unified, patched_files
from denominator.wire.trees.globs import matches
from denominator.wire.trees.parse import DiffError, FileDiff, parse_unified
from denominator.wire.trees.read import (
    DEFAULT_LIMITS,
    EMPTY_TREE,
    TreeLimits,
    path_problem,
    read_file,
    read_tree,
    tree_digest,
)
from denominator.wire.trees.show import unified

__all__ = [
    "DEFAULT_LIMITS",
    "EMPTY_TREE",
    "ApplyError",
    "DiffError",
    "FileDiff",
    "Keep",
    "TreeLimits",
    "apply_patch",
    "apply_unified",
    "copy_tree",
    "diff_trees",
    "matches",
    "parse_unified",
    "patched_files",
    "patched_tree",
    "path_problem",
    "read_file",
    "read_tree",
    "remove_file",
    "sync_tree",
    "touched",
    "tree_digest",
    "unified",
    "write_file",
]
