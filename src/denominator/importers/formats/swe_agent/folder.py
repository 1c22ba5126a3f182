"""Which members of a source belong to a run of SWE-agent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from denominator.importers.agentruns import folder_of, head_of, last_of, run_names
from denominator.wire.sources import Source

TRAJECTORY, PREDICTION, BEGUN = ".traj", ".pred", ".config.yaml"
PREDICTIONS = ("preds.json", "all_preds.jsonl")
STATUSES = "run_batch_exit_statuses.yaml"
CONFIGS = ("run_batch.config.yaml", "args.yaml")
RESULTS = "results.json"
INNER = re.compile(r"attempt_[0-9]{1,4}\Z")
BELOW = ("trajs", "trajectories")
MARKS = (b'"trajectory"', b'"attempts"')
LOOKS = 3
"""So many trajectories of a folder are looked into before it is none of this kind."""


@dataclass(slots=True)
class Folder:
    """The members of one run, by the id in their names where they have one."""

    path: str
    trajectories: dict[str, str] = field(default_factory=dict)
    predicted: dict[str, str] = field(default_factory=dict)
    begun: dict[str, str] = field(default_factory=dict)
    inner: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    predictions: tuple[str, ...] = ()
    statuses: str = ""
    configs: tuple[str, ...] = ()
    results: str = ""


def folders(files: Source) -> dict[str, Folder]:
    """Run name -> members, of every folder that shows itself as one."""
    found: dict[str, Folder] = {}
    for name in files.names():
        last = last_of(name)
        ending = next((one for one in (TRAJECTORY, PREDICTION, BEGUN) if last.endswith(one) and last != CONFIGS[0]), "")
        if ending:
            _take(found, name, last.removesuffix(ending), ending)
        elif last == STATUSES:
            base = folder_of(name)
            found.setdefault(base, Folder(base))
    every = frozenset(files.names())
    for base, one in found.items():
        one.predictions = tuple(path for last in PREDICTIONS if (path := _path(base, last)) in every)
        one.configs = tuple(path for last in CONFIGS if (path := _path(base, last)) in every)
        one.statuses = _path(base, STATUSES) if _path(base, STATUSES) in every else ""
        one.results = _path(base, RESULTS) if _path(base, RESULTS) in every else ""
    own = [base for base, one in found.items() if _shows(files, one)]
    top = files.name.removesuffix(TRAJECTORY).removesuffix(".zip")
    return {name: found[base] for name, base in run_names(own, top).items()}


def _take(found: dict[str, Folder], name: str, task: str, ending: str) -> None:
    folder = folder_of(name)
    tried = bool(INNER.match(last_of(folder)))
    if tried:
        folder = folder_of(folder)
    base = folder_of(folder) if last_of(folder) == task or last_of(folder) in BELOW else folder
    one = found.setdefault(base, Folder(base))
    if tried:
        one.inner.append(name)
        return
    kept = {TRAJECTORY: one.trajectories, PREDICTION: one.predicted, BEGUN: one.begun}[ending]
    if kept.setdefault(task, name) != name:
        one.twice.append(name)


def _path(base: str, last: str) -> str:
    return f"{base}/{last}" if base else last


def _shows(files: Source, one: Folder) -> bool:
    """Do a few of its files begin as the tool writes them?"""
    for name in list(one.trajectories.values())[:LOOKS]:
        if any(mark in head_of(files, name) for mark in MARKS):
            return True
    return bool(one.statuses) and b"instances_by_exit_status" in head_of(files, one.statuses, 4096)
