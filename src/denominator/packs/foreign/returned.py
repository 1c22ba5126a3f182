"""A task of ours that went out to Harbor and comes in again: its slice, its control, and its tests where nobody touched them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from denominator.errors import InputError
from denominator.packs.foreign.draft import DraftTask
from denominator.packs.foreign.harbor_out import test_sh
from denominator.packs.foreign.ours import digest_of, task_of
from denominator.records.packs import Task
from denominator.records.values import NotMeasured
from denominator.wire.sources import Source

HIDDEN, REPO, SPEC = "tests/hidden/", "environment/repo/", "environment/spec/"
GOLD = "solution/gold.patch"
OF_PACK = "what the pack says of all its tasks (licence, reason, selection, authors), its lock, its baseline: fill in and lock anew"
OLDER = "how its tests are run: the export does not say; test.sh is run as it is, at G1"
CHANGED = "exact ids and counter-tests: its tests are not those that were exported; test.sh is run as it is, at G1"
NO_TOKEN = "its canary: the export does not hold the token"


def returned(files: Source, mine: Mapping[str, str], table: Mapping[str, Any], plain: DraftTask) -> DraftTask:
    """The task as it went out. `plain` is what it is without the table: an ordinary task, graded by its test.sh."""
    try:
        task = task_of(table, plain.title, plain.timeout_s)
    except InputError as error:
        told = "; ".join(str(one) for one in error.problems) or error.what
        return replace(plain, lost=(*plain.lost, f"its slice and control, it is an ordinary task here: {told[:300]}"))
    carried = _carried(task, plain)
    if not table.get("runner"):
        return replace(carried, lost=(*carried.lost, OLDER))
    hidden = {name.removeprefix(HIDDEN): files.read(path) for name, path in mine.items() if name.startswith(HIDDEN)}
    listed = table.get("executable")
    executable = tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else ()
    runnable = {one.removeprefix("hidden/") for one in executable if one.startswith("hidden/")}
    same_files = (digest_of(hidden, runnable) if hidden else "") == table.get("hidden_tree")
    if not same_files or files.read(mine["tests/test.sh"]) != test_sh(task).encode():
        return replace(carried, lost=(*carried.lost, CHANGED))
    return _whole(files, mine, task, carried, hidden, executable)


def _carried(task: Task, plain: DraftTask) -> DraftTask:
    """Everything but how it is graded."""
    lacks = (NO_TOKEN,) if task.slice == "canary" and not task.canary else ()
    return replace(
        plain, id=task.id, slice=task.slice, expected=task.expected, control=task.control, family=task.family,
        reason=task.reason, license=task.license, allowed=task.allowed, forbidden=task.forbidden, canary=task.canary,
        multi_file=task.multi_file, required_files=task.required_files, spec_paths=task.spec_paths,
        packages=None if isinstance(task.packages, NotMeasured) else task.packages,
        git_url=task.source.url, git_commit=task.source.commit, lost=(*plain.lost, *lacks),
    )  # fmt: skip


def _whole(
    files: Source,
    mine: Mapping[str, str],
    task: Task,
    carried: DraftTask,
    hidden: Mapping[str, bytes],
    executable: tuple[str, ...],
) -> DraftTask:
    """Its own tests, run as in the pack that it came from."""
    kept = {"prompt.md": carried.files["prompt.md"], **{f"hidden/{name}": data for name, data in hidden.items()}}
    for before, folder in ((REPO, "repo/"), (SPEC, "spec/")):
        kept |= {
            folder + name.removeprefix(before): files.read(path)
            for name, path in mine.items()
            if name.startswith(before)
        }
    kept |= {"gold.patch": files.read(mine[GOLD])} if GOLD in mine else {}
    return replace(
        carried,
        files=kept,
        lost=tuple(one for one in carried.lost if not _is_ours(one)),
        runner=task.verify.runner, level=task.verify.level, command=task.verify.command, report=task.verify.report,
        expected_tests=task.verify.expected_tests, counter_tests=task.verify.counter_tests,
        executable=tuple(one for one in executable if one in kept),
    )  # fmt: skip


def _is_ours(lost: str) -> bool:
    """What only the export added: the image that it starts from, the place of the specification, solve.sh, test.sh."""
    return lost.startswith(
        ("the image: FROM ", "the image: COPY spec/ /spec/", "container paths in", "the reference solution")
    )
