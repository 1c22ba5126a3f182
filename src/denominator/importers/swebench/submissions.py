"""Folders of a submission to the experiments repository, known by the files that only they hold together."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.swebench.trees import joined
from denominator.wire.sources import Source

METADATA = ("metadata.yaml", "metadata.yml")
RESULTS = "results/results.json"
DETAILS = "per_instance_details.json"
PREDICTIONS = ("all_preds.jsonl", "preds.json", "all_preds.json")
COMPANIONS = (RESULTS, DETAILS, "README.md", *PREDICTIONS)


def submission_folders(files: Source) -> list[str]:
    """Every folder that is a submission, sorted; "" is the source itself."""
    names = set(files.names())
    folders = {joined(*one.split("/")[:-1]) for one in names if one.rpartition("/")[2] in METADATA}
    found = {
        folder
        for folder in folders
        if any(joined(folder, one) in names for one in COMPANIONS) or _has_logs(names, folder)
    }
    for name in names:
        if name == RESULTS or name.endswith("/" + RESULTS):
            found.add(name.removesuffix(RESULTS).rstrip("/"))
        if name.rpartition("/")[2] == DETAILS:
            found.add(name.rpartition("/")[0])
    return sorted(found)


def _has_logs(names: set[str], folder: str) -> bool:
    below = joined(folder, "logs") + "/"
    return any(name.startswith(below) for name in names)


def first_of(names: Sequence[str], folder: str, wanted: Sequence[str]) -> str:
    """The first of some members that a folder holds, or nothing."""
    held = set(names)
    return next((path for one in wanted if (path := joined(folder, one)) in held), "")
