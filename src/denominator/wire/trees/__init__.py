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
from denominator.wire.trees.globs import matches
from denominator.wire.trees.read import (
    DEFAULT_LIMITS,
    TreeLimits,
    path_problem,
    read_file,
    read_tree,
    tree_digest,
)

__all__ = [
    "DEFAULT_LIMITS",
    "ApplyError",
    "Keep",
    "TreeLimits",
    "apply_patch",
    "copy_tree",
    "diff_trees",
    "matches",
    "patched_tree",
    "path_problem",
    "read_file",
    "read_tree",
    "remove_file",
    "sync_tree",
    "touched",
    "tree_digest",
    "write_file",
]
