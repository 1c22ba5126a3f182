"""Do the tests of a task still hold here, with the agent off? Only then does another grade say anything of a patch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.packs import frozen_tree, task_paths
from denominator.packs.checking import check_tasks
from denominator.pipeline.baseline_store import LEAST_REPEATS
from denominator.pipeline.baselines import Bench, grade_trees
from denominator.pipeline.sealed import task_digest
from denominator.records.packs import Baseline, FoundPack, Pack, Provenance, Selection
from denominator.records.seals import SealedTask


def material_of(root: Path, tasks: Sequence[SealedTask]) -> FoundPack:
    """Sealed tasks whose files lie below `root` as in a pack; whatever a pack.toml there says does not count."""
    nobody = Provenance(authors=(), created="")
    pack = Pack(
        id="regrade", version="1", title="", license="", reason="", selection=Selection(rule=""), provenance=nobody,
        tasks=tuple(one.task for one in tasks),
    )  # fmt: skip
    return FoundPack(root=str(root), pack=pack)


def changed_material(root: Path, one: SealedTask) -> str:
    """Why the files of a task are not those that were sealed, or nothing."""
    paths = task_paths(material_of(root, [one]), one.task)
    if paths.folder.is_symlink() or not paths.folder.is_dir():
        return f"the files of {one.task.id} are not here"
    if task_digest(paths.folder, one.task.id) != one.locked.digest:
        return f"the files of {one.task.id} are not those that were sealed"
    try:
        trees = (frozen_tree(paths.repo).digest, frozen_tree(paths.hidden).digest)
    except DenominatorError as error:
        return f"the files of {one.task.id} cannot be used: {error.what}"
    same = trees == (one.locked.base_tree, one.locked.hidden_tree)
    return "" if same else f"the modes of {one.task.id}'s files are not those that were sealed"


def unfit_tasks(
    root: Path, tasks: Sequence[SealedTask], bench: Bench, sealed: Baseline | None, concurrency: int
) -> tuple[dict[str, str], int]:
    """Tasks that are not as they must be, with the reason, and how many gradings showed it: base and gold, three times each.

    `sealed` is the baseline of the run: a gold patch that was green there and is red every time now has expired.
    """
    _, runs = grade_trees(material_of(root, tasks), bench, repeats=LEAST_REPEATS, concurrency=concurrency)
    checks = check_tasks([one.task for one in tasks], runs, sealed)
    wrong = (one for one in checks if one.verdict != "stable")
    return {
        one.task_id: f"{one.verdict}: with the agent off {one.why}" + (f" ({one.detail[:200]})" if one.detail else "")
        for one in wrong
    }, len(runs)
