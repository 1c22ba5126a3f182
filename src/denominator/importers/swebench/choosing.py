"""Which file of predictions a run is of, where there are several."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.errors import InputError
from denominator.importers.swebench.predictions import Predictions, digest_of, read_predictions
from denominator.importers.swebench.trees import PATCH, Tree
from denominator.records.foreign import Told
from denominator.wire.sources import Source

SHOWN = 20


def choose_predictions(files: Source, names: Sequence[str], tree: Tree | None, told: Told) -> Predictions | None:
    """The predictions of a run. Of several files the one whose patches were graded; what the others hold else is told."""
    found: list[Predictions] = []
    for name in names:
        try:
            found.append(read_predictions(files, name, told))
            told.files[name] = "predictions"
        except InputError as error:
            told.say("unreadable_member", name, error.what)
    if not found:
        return None
    ranked = sorted(found, key=lambda one: (_misfits(files, one, tree), -len(one.of), one.file))
    first = ranked[0]
    for other in ranked[1:]:
        differ = sorted(
            task for task in {*first.of, *other.of}
            if task not in first.of or task not in other.of or first.of[task].sha256 != other.of[task].sha256
        )  # fmt: skip
        what = f"a second file of predictions; {first.file} is taken"
        what += f", {len(differ)} ids are not the same in both" if differ else ", both hold the same"
        told.say("several_predictions", other.file, what, *differ[:SHOWN], blocks=False)
        for task in other.of.keys() - first.of.keys():
            first.of[task] = other.of[task]
    return first


def _misfits(files: Source, one: Predictions, tree: Tree | None) -> int:
    """How many graded patches are not the ones of this file."""
    if tree is None:
        return 0
    misfits = 0
    for task, prediction in one.of.items():
        if name := tree.member(task, PATCH):
            try:
                misfits += digest_of(files.read(name).strip()) != prediction.stripped
            except InputError:
                continue
    return misfits
