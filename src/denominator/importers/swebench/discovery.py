"""Which runs of the harness a source holds: reports, folders of instances and predictions, put together by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from denominator.importers.swebench.lists import looks_like_report
from denominator.importers.swebench.predictions import first_model, model_folder
from denominator.importers.swebench.trees import MEMBERS, Tree, find_trees, inside
from denominator.wire.sources import Source

NOT_REPORTS = ("run.json",)
BESIDE_LOGS = "results"
"""How the report is called that newer versions write into the folder of the run."""
PREDICTION_ENDS = (".json", ".jsonl")
MOST_LOOKED_AT = 4000


@dataclass(slots=True)
class FoundRun:
    """One run by its files: `report` a path or nothing, `model` as the harness names its folder."""

    name: str
    run_id: str = ""
    model: str = ""
    report: str = ""
    tree: Tree | None = None
    predictions: tuple[str, ...] = ()


def find_runs(files: Source, reports: Iterable[str], skip: Iterable[str] = ()) -> list[FoundRun]:
    """The runs of a source. `reports` are the run reports that were found; nothing below a folder of `skip` is looked at."""
    trees = find_trees(files, skip)
    given = {name: model for name in candidates(files, trees, skip) if (model := first_model(files, name)) is not None}
    runs = _joined(files, list(reports), trees)
    if not runs:
        return [_alone(name, model) for name, model in given.items()]
    _give(runs, given)
    return _named_apart(files, runs)


def candidates(files: Source, trees: Iterable[Tree], skip: Iterable[str] = ()) -> list[str]:
    """Members that can be reports or predictions: JSON outside of the folders of instances."""
    folders = {f"{tree.root}/{instance}" if tree.root else instance for tree in trees for instance in tree.of}
    below = tuple(skip)
    found = []
    for name in files.names():
        folder, _, base = name.rpartition("/")
        if not base.endswith(PREDICTION_ENDS) or base in NOT_REPORTS or (base in MEMBERS and folder in folders):
            continue
        if folder not in folders and not any(inside(name, one) for one in below):
            found.append(name)
    return found[:MOST_LOOKED_AT]


def find_reports(files: Source, skip: Iterable[str] = ()) -> list[str]:
    """Run reports by what they hold; the folders of instances are left out by name."""
    return [
        name
        for name in candidates(files, (), skip)
        if name.endswith(".json") and name.rpartition("/")[2] not in MEMBERS and looks_like_report(files, name)
    ]


def stem(name: str) -> str:
    """The last part of a path without its ending."""
    return name.rpartition("/")[2].removesuffix(".jsonl").removesuffix(".json")


def _alone(name: str, model: str) -> FoundRun:
    return FoundRun(stem(name), model=model_folder(model), predictions=(name,))


def _joined(files: Source, reports: list[str], trees: list[Tree]) -> list[FoundRun]:
    """A report goes with the tree that it is named after, with the one below its folder, or with the only one there is."""
    runs, left = [], list(trees)
    for report in reports:
        name = stem(report)
        tree = next((one for one in left if one.run_id and f"{one.model}.{one.run_id}" == name), None)
        folder = report.rpartition("/")[0]
        if tree is None and folder:
            below = [one for one in left if inside(one.root + "/", folder)]
            tree = below[0] if len(below) == 1 else None
        if tree is None and len(reports) == len(trees) == 1:
            tree = trees[0]
        if tree is not None:
            left.remove(tree)
            if name == BESIDE_LOGS and tree.run_id:
                name = f"{tree.model}.{tree.run_id}"
        runs.append(FoundRun(name, tree.run_id if tree else "", tree.model if tree else "", report, tree))
    for tree in left:
        name = f"{tree.model}.{tree.run_id}" if tree.run_id else files.name
        runs.append(FoundRun(name, tree.run_id, tree.model, tree=tree))
    return runs


def _give(runs: list[FoundRun], given: dict[str, str]) -> None:
    """Predictions go to the runs of their model; where there is one run, all of them do."""
    for name, model in given.items():
        folder = model_folder(model)
        fitting = [run for run in runs if run.model == folder or (run.report and run.name.startswith(folder + "."))]
        for run in runs if len(runs) == 1 else fitting:
            run.predictions = (*run.predictions, name)
            run.model = run.model or folder
            if not run.run_id and run.name.startswith(folder + "."):
                run.run_id = run.name.removeprefix(folder + ".")
        if not fitting and len(runs) > 1:
            runs.append(_alone(name, model))


def _named_apart(files: Source, runs: list[FoundRun]) -> list[FoundRun]:
    """Two runs never have one name: then the path goes before it."""
    names = [run.name for run in runs]
    for run in runs:
        if names.count(run.name) > 1:
            path = run.report or (run.tree.root if run.tree else run.predictions[0] if run.predictions else "")
            run.name = (path or files.name).removesuffix(".json")
    return runs
