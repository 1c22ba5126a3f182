"""Grade stored patches again with the agent off: does each get the grade that was recorded?

First the base and gold trees of the tasks, so that a flaky or expired test is told from a forged grade; then each patch,
and one that gets another grade twice more. What could not be graded is never counted as agreement.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import DenominatorError, InputError
from denominator.packs import copy_frozen, task_paths
from denominator.pipeline.baselines import Bench, Grading, grade_all, grading_scratch
from denominator.pipeline.regrade_fitness import changed_material, material_of, unfit_tasks
from denominator.pipeline.regrade_verdicts import (
    NOT_NOW,
    Asked,
    compared,
    could_not,
    differs,
    graded,
    never_graded,
)
from denominator.ports import Limits
from denominator.records.packs import Baseline, Task
from denominator.records.regrades import AGREE, COULD_NOT, DIFFER, NEVER_GRADED, Regrade, Regraded
from denominator.records.trees import Patch
from denominator.records.values import NotMeasured
from denominator.run.paths import kept
from denominator.wire.codec import from_json, loads
from denominator.wire.trees import ApplyError, apply_patch

AT_ONCE = 16
"""Patched trees that lie on disk together."""
MORE = 2
"""How many times a patch is graded again when its grade is not the recorded one."""
ISSUERS_WORD = "that a row was never graded is the issuer's word: no file here shows that it was not"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """What there is to grade with. `blob` gives bytes by digest or says why not (InputError); `limits` as sealed, where known."""

    material: Path | NotMeasured
    bench: Bench | NotMeasured
    blob: Callable[[str], bytes]
    baseline: Baseline | None = None
    grader_sha: str = ""
    limits: Callable[[Task], Limits] | None = None
    concurrency: int = 1


@dataclass(frozen=True, slots=True)
class _Ready:
    asked: Asked
    patch: Patch


def regrade(asked: Sequence[Asked], shelf: Shelf, notes: Sequence[str] = ()) -> Regraded:
    """Grade every row again that can be; one answer a row, in the order asked. StoppedError when told to stop."""
    found: dict[int, Regrade] = {}
    ready: list[_Ready] = []
    for one in asked:
        got = _ready(one, shelf)
        if isinstance(got, _Ready):
            ready.append(got)
        else:
            found[one.index] = got
    unfit, gradings = _unfit(ready, shelf)
    for got in ready:
        if why := unfit.get(got.asked.sealed.task.id):
            found[got.asked.index] = could_not(got.asked, why)
    fit = [one for one in ready if one.asked.index not in found]
    for start in range(0, len(fit), AT_ONCE):
        found |= {one.index: one for one in _batch(fit[start : start + AT_ONCE], shelf)}
    rows = tuple(found[one.index] if graded(one) else never_graded(one, found[one.index]) for one in asked)
    states = Counter(one.state for one in rows)
    return Regraded(
        rows=rows,
        agree=states[AGREE],
        differ=states[DIFFER],
        could_not=states[COULD_NOT],
        never_graded=states[NEVER_GRADED],
        unfit=tuple(sorted(unfit.items())),
        baseline=gradings,
        notes=(*notes, *([ISSUERS_WORD] if states[NEVER_GRADED] else [])),
    )


def exit_of(done: Regraded) -> int:
    """0: every recorded grade was met again. 1: some differ. 2: nothing was compared, or not all that should be."""
    if done.differ:
        return 1
    return 2 if done.could_not or not done.agree else 0


def _ready(one: Asked, shelf: Shelf) -> _Ready | Regrade:
    if not graded(one) and isinstance(one.row.patch, NotMeasured):
        return could_not(one, "")
    if isinstance(shelf.bench, NotMeasured):
        return could_not(one, shelf.bench.not_measured)
    if isinstance(shelf.material, NotMeasured):
        return could_not(one, shelf.material.not_measured)
    if shelf.grader_sha and shelf.grader_sha != shelf.bench.grader.digest():
        return could_not(one, "the grader of this program is not the one that was sealed: use the version that was")
    if isinstance(one.row.patch, NotMeasured):
        return could_not(one, f"no patch is recorded: {one.row.patch.not_measured}")
    sha = one.row.patch.sha256
    try:
        return _Ready(one, from_json(Patch, loads(shelf.blob(sha)), f"blobs/{sha}"))
    except DenominatorError as error:
        return could_not(one, f"its patch {sha[:12]}: {error.what}")


def _unfit(ready: Sequence[_Ready], shelf: Shelf) -> tuple[dict[str, str], int]:
    """Tasks that say nothing here, and why; then how many gradings with the agent off showed it."""
    if not ready or isinstance(shelf.material, NotMeasured) or isinstance(shelf.bench, NotMeasured):
        return {}, 0
    root = shelf.material
    tasks = {one.asked.sealed.task.id: one.asked.sealed for one in ready}
    changed = {name: why for name, one in sorted(tasks.items()) if (why := changed_material(root, one))}
    left = [one for name, one in sorted(tasks.items()) if name not in changed]
    if not left:
        return changed, 0
    unfit, gradings = unfit_tasks(root, left, shelf.bench, shelf.baseline, shelf.concurrency)
    return changed | unfit, gradings


def _batch(ready: Sequence[_Ready], shelf: Shelf) -> Iterator[Regrade]:
    assert isinstance(shelf.bench, Bench)  # _ready lets nothing through without
    with grading_scratch() as scratch:
        gradings: list[tuple[_Ready, Grading]] = []
        for one in ready:
            made = _staged(one, shelf, scratch / str(one.asked.index))
            if isinstance(made, Regrade):
                yield made
            else:
                gradings.append((one, made))
        first = grade_all([grading for _, grading in gradings], shelf.bench, shelf.concurrency)
        odd = [n for n, (one, _) in enumerate(gradings) if first[n].grade != one.asked.row.grade]
        again = grade_all([gradings[n][1] for n in odd for _ in range(MORE)], shelf.bench, shelf.concurrency)
        more = {n: again[place * MORE : (place + 1) * MORE] for place, n in enumerate(odd)}
        for number, (one, _) in enumerate(gradings):
            yield compared(one.asked, [first[number], *more.get(number, ())])


def _staged(one: _Ready, shelf: Shelf, place: Path) -> Grading | Regrade:
    """The tree that is graded, as the run made it: the sealed snapshot and the paths that the task allows."""
    asked, task = one.asked, one.asked.sealed.task
    assert isinstance(shelf.material, Path)
    paths = task_paths(material_of(shelf.material, [asked.sealed]), task)
    place.mkdir(mode=0o755)
    place.chmod(0o755)
    try:
        copy_frozen(
            paths.repo, place / "base"
        )  # an installer leaves bytecode beside a pack's files: it is no part of them
        tree = apply_patch(place / "base", one.patch, shelf.blob, place / "tree", lambda change: kept(task, change))
    except ApplyError as error:
        return differs(
            asked, NotMeasured(f"its patch does not apply: {error.what}"), "a grade was recorded all the same"
        )
    except InputError as error:
        shutil.rmtree(place)
        return could_not(asked, error.what)
    shutil.rmtree(place / "base")
    assert not isinstance(asked.row.patch, NotMeasured)
    if graded(asked) and tree.digest != asked.row.patch.applied_tree:
        return differs(asked, NOT_NOW, "its patch makes another tree than the one that is recorded as graded")
    copy_frozen(paths.hidden, place / "hidden")
    limits = shelf.limits(task) if shelf.limits else None
    return Grading(
        task, f"r{asked.row.key.repeat} a{asked.row.key.attempt}", 1, place / "tree", place / "hidden", limits
    )
