"""One submission folder: metadata, results, predictions, logs -> a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from denominator.errors import InputError
from denominator.importers.formats.swebench_experiments.details import details_of
from denominator.importers.formats.swebench_experiments.metadata import Metadata, of_split, read_metadata
from denominator.importers.formats.swebench_experiments.results import (
    RESULTS_BYTES,
    Results,
    is_results,
    read_results,
)  # fmt: skip
from denominator.importers.formats.swebench_experiments.splits import SIZES, TOP, split_of_assets, split_of_path
from denominator.importers.formats.swebench_experiments.sums import check_siblings
from denominator.importers.swebench.cases import Said
from denominator.importers.swebench.choosing import choose_predictions
from denominator.importers.swebench.runs import Run, plan_of, rows_of
from denominator.importers.swebench.submissions import DETAILS, METADATA, PREDICTIONS, RESULTS, first_of
from denominator.importers.swebench.trees import joined, tree_at
from denominator.records.foreign import ForeignRun, Told
from denominator.wire.sources import Source, loose_json

INDEX = "index.json"
SEEN_BYTES = 1 << 20
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where a submission lies and how it is called."""

    folder: str
    name: str


def places_of(files: Source, folders: Sequence[str]) -> list[Place]:
    """A submission is called by its split and its folder, or by its whole path where two are called so."""
    short = ["/".join(folder.split("/")[-2:]) if folder else files.name for folder in folders]
    return [
        Place(folder, folder if short.count(name) > 1 and folder else name)
        for folder, name in zip(folders, short, strict=True)
    ]


def read_submission(files: Source, place: Place, importer: str) -> ForeignRun:
    """A submission as a run."""
    told = Told()
    about = read_metadata(files, place.folder, told)
    split = split_of_path(place.folder, files.name) or split_of_assets(about.assets)
    run = Run(place.name, importer, files, told, size=SIZES.get(split))
    results = _results(files, place.folder, told)
    run.tree = tree_at(files, joined(place.folder, "logs"))
    if not results.file and run.tree is None:
        told.say("no_results", place.folder or files.name, "no file of it says which ids were resolved")
    predictions = first_of(files.names(), place.folder, PREDICTIONS)
    run.predictions = choose_predictions(files, [predictions] if predictions else [], run.tree, told)
    run.ids = _index(files, place.folder, told)
    total = check_siblings(files, place.folder + "/results" if place.folder else "results", results, told)
    _sizes(run, total)
    of_split(told, run.size)
    _take(run, results)
    return ForeignRun(
        name=place.name, arm=about.title or place.name, document=_document(place, split, about), declared=plan_of(run),
        rows=rows_of(run), told=told, unknown=about.unknown,
    )  # fmt: skip


def _results(files: Source, folder: str, told: Told) -> Results:
    """results.json; else the details of instances. Where both are there they must call the same ids resolved."""
    name, details = joined(folder, RESULTS), joined(folder, DETAILS)
    held = set(files.names())
    found = Results()
    if name in held:
        try:
            found = read_results(files, name, told)
        except InputError as error:
            told.say("unreadable_member", name, error.what)
    if details in held:
        try:
            other = details_of(loose_json(files.read(details, RESULTS_BYTES), details), details, told)
        except InputError as error:
            told.say("unreadable_member", details, error.what)
            return found
        told.files[details] = "resolved, cost and calls of each instance"
        if not found.file:
            return other
        _compare(found, other, told)
        found.fields, found.extra = other.fields, other.extra
        if found.report is None:
            found.said = other.said | found.said
            found.places = other.places | found.places
    return found


def _compare(found: Results, other: Results, told: Told) -> None:
    if differ := sorted(found.resolved() ^ other.resolved()):
        what = f"{len(differ)} ids are resolved in one of results.json and {DETAILS} only"
        told.say("contradiction", other.file, what, *differ[:SHOWN])


def _take(run: Run, results: Results) -> None:
    """The lists of a submission; what was handed in and stands in none of them was graded and is not resolved."""
    run.report, run.fields, run.extra, run.places = results.report, results.fields, results.extra, results.places
    said = dict(results.said)
    if run.report is None and results.file and not results.whole and results.file.endswith(RESULTS):
        named = set(run.predictions.of) if run.predictions is not None else set(run.ids)
        rest = sorted(named - said.keys())
        said |= {task: Said("unresolved") for task in rest}
        if rest:
            run.told.notes.append(f"{len(rest)} ids stand in no list: such an id was graded and is not resolved")
    if results.whole:
        run.ids = [*run.ids, *results.said]
    run.said = said


def _sizes(run: Run, total: int | None) -> None:
    """The size of the split by its name, and by the sums beside the results."""
    if total is not None and run.size is not None and total != run.size:
        run.told.say("dataset_size_mismatch", run.name, f"the split holds {run.size} instances, the sums give {total}")
    run.size = run.size or total


def _index(files: Source, folder: str, told: Told) -> list[str]:
    """`index.json` beside the submissions of a split names its instances."""
    name = joined(folder.rpartition("/")[0], INDEX)
    if not folder or name not in files.names():
        return []
    try:
        found = loose_json(files.read(name, RESULTS_BYTES), name)
    except InputError as error:
        told.say("unreadable_member", name, error.what, blocks=False)
        return []
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        return []
    told.files[name] = "the instances of the split"
    return list(found)


def _document(place: Place, split: str, about: Metadata) -> Mapping[str, object]:
    above = place.folder.split("/")[:-1]
    above = above[above.index(TOP) + 1 :] if TOP in above else above
    dataset = {"name": "SWE-bench", "split": split} if split else {"name": "/".join(above)} if above else {}
    return {
        "run_id": place.name, "harness_name": "SWE-bench", "scorer": "tests",
        **({"dataset": dataset} if dataset else {}), **about.document,
    }  # fmt: skip


def is_submission(files: Source, folder: str) -> bool:
    """Does the folder hold results of a submission, or logs or predictions beside its metadata?"""
    name = joined(folder, RESULTS)
    if name not in files.names():
        return True
    try:
        if files.size(name) <= SEEN_BYTES:
            return is_results(loose_json(files.read(name, SEEN_BYTES), name))
    except InputError:
        pass
    return bool(first_of(files.names(), folder, METADATA))
