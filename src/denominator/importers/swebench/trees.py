"""Folders of instances: <run id>/<model>/<instance id>/ with report.json, run_instance.log, test_output.txt, patch.diff."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from denominator.errors import InputError
from denominator.wire.sources import Source, loose_json

REPORT, RUN_LOG, OUTPUT, PATCH, SCRIPT = "report.json", "run_instance.log", "test_output.txt", "patch.diff", "eval.sh"
MARKS = frozenset((REPORT, RUN_LOG, OUTPUT))
MEMBERS = MARKS | {PATCH, SCRIPT}
TOPS = ("run_evaluation", "evaluation")
LOOKED_AT = 6
REPORT_BYTES = 64 << 20
SEEN_BYTES = 1 << 20
"""To know what a report is, no longer one is looked at."""
KEYS = ("patch_exists", "patch_successfully_applied", "patch_is_None")


@dataclass(slots=True)
class Tree:
    """The instances of one model in one run. `root` is the folder that holds them, `of` gives each its folder and members."""

    root: str
    run_id: str = ""
    model: str = ""
    of: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def member(self, instance: str, name: str) -> str:
        """The path of a member of an instance, or nothing where it is not there."""
        return joined(self.root, instance, name) if name in self.of.get(instance, ()) else ""


def joined(*parts: str) -> str:
    """A path of its parts that are not empty."""
    return "/".join(part for part in parts if part)


def find_trees(files: Source, skip: Iterable[str] = ()) -> list[Tree]:
    """Every tree of instances, none below a folder of `skip`. Reads a few reports to know what they are."""
    held: dict[str, list[str]] = {}
    below = tuple(skip)
    for name in files.names():
        folder, _, base = name.rpartition("/")
        if base in MEMBERS and folder and not any(inside(name, one) for one in below):
            held.setdefault(folder, []).append(base)
    trees: dict[str, Tree] = {}
    for folder, bases in held.items():
        if not MARKS.isdisjoint(bases):
            root, _, instance = folder.rpartition("/")
            trees.setdefault(root, _tree(files, root)).of[instance] = tuple(sorted(bases))
    return [tree for _, tree in sorted(trees.items()) if _is_tree(files, tree)]


def tree_at(files: Source, root: str) -> Tree | None:
    """The instances in one folder, or nothing."""
    tree = Tree(root)
    held: dict[str, list[str]] = {}
    for name in files.names():
        if not inside(name, root):
            continue
        instance, _, base = name[len(root) + 1 if root else 0 :].partition("/")
        if base in MEMBERS:
            held.setdefault(instance, []).append(base)
    tree.of = {one: tuple(sorted(bases)) for one, bases in held.items() if not MARKS.isdisjoint(bases)}
    return tree if tree.of and _is_tree(files, tree) else None


def inside(name: str, folder: str) -> bool:
    """Does a member lie in a folder? Everything lies in the empty one."""
    return not folder or name.startswith(folder + "/")


def _tree(files: Source, root: str) -> Tree:
    parts = root.split("/") if root else []
    for top in TOPS:
        if top in parts and len(parts) == parts.index(top) + 3:
            return Tree(root, parts[-2], parts[-1])
    if "run.json" in files.names() and len(parts) == 1:
        return Tree(root, files.name, parts[0])
    return Tree(root)


def _is_tree(files: Source, tree: Tree) -> bool:
    """Is one of the first reports a report of an instance, or did the harness write a log beside one?"""
    if any(RUN_LOG in bases for bases in tree.of.values()):
        return True
    reports = (tree.member(one, REPORT) for one in sorted(tree.of))
    return any(_is_instance(files, name) for name in islice(filter(None, reports), LOOKED_AT))


def _is_instance(files: Source, name: str) -> bool:
    try:
        if files.size(name) > SEEN_BYTES:
            return False
        return bool(instance_report(loose_json(files.read(name, SEEN_BYTES), name)))
    except InputError:
        return False


def instance_report(found: object, instance: str = "") -> dict[str, object]:
    """The report of an instance, wrapped in its id or flat; empty: it is none, or of another instance."""
    if not isinstance(found, dict):
        return {}
    if any(key in found for key in KEYS):
        return found
    inner = found.get(instance) if instance else next(iter(found.values()), None)
    return inner if isinstance(inner, dict) and any(key in inner for key in KEYS) else {}


def wrapped_id(found: object) -> str:
    """The instance that a wrapped report names; nothing for a flat one."""
    if isinstance(found, Mapping) and len(found) == 1 and instance_report(found) is not found:
        return str(next(iter(found))) if instance_report(found) else ""
    return ""
