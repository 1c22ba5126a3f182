"""Which members of a source belong to a run of mini-swe-agent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from denominator.importers.agentruns import folder_of, head_of, last_of, run_names
from denominator.wire.sources import Source, lines_of

TRAJECTORY = ".traj.json"
PREDICTIONS = "preds.json"
LOG = "minisweagent.log"
STATUSES = re.compile(r"exit_statuses_([0-9]{1,12}(?:\.[0-9]{1,9})?)\.yaml\Z")
RUNNING = re.compile(rb" - INFO - Running on ([0-9]{1,7}) instances\.\.\.\s*\Z")
SKIPPING = re.compile(rb" - INFO - Skipping ([0-9]{1,7}) existing instances\s*\Z")
MARKS = (b'"model_stats"', b'"exit_status"')
LOOKS = 3
"""So many trajectories of a folder are looked into before it is none of this kind."""


@dataclass(slots=True)
class Folder:
    """The members of one run: trajectories by the id in their names, exit statuses from the oldest file on."""

    path: str
    trajectories: dict[str, str] = field(default_factory=dict)
    statuses: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    predictions: str = ""
    log: str = ""


def folders(files: Source) -> dict[str, Folder]:
    """Run name -> members, of every folder that shows itself as one."""
    found: dict[str, Folder] = {}
    for name in files.names():
        if name.endswith(TRAJECTORY):
            task = last_of(name).removesuffix(TRAJECTORY)
            base = _base(folder_of(name), task)
            one = found.setdefault(base, Folder(base))
            if one.trajectories.setdefault(task, name) != name:
                one.twice.append(name)
        elif STATUSES.match(last_of(name)):
            base = folder_of(name)
            found.setdefault(base, Folder(base)).statuses.append(name)
    every = frozenset(files.names())
    for base, one in found.items():
        one.statuses.sort(key=_written)
        one.predictions = _member(every, base, PREDICTIONS)
        one.log = _member(every, base, LOG)
    own = {base: one for base, one in found.items() if _shows(files, one)}
    top = files.name.removesuffix(TRAJECTORY).removesuffix(".zip")
    return {name: own[base] for name, base in run_names(own, top).items()}


def _base(folder: str, task: str) -> str:
    """A trajectory stands in a folder of its task, or right in the folder of the run."""
    return folder_of(folder) if last_of(folder) == task else folder


def _member(every: frozenset[str], base: str, last: str) -> str:
    name = f"{base}/{last}" if base else last
    return name if name in every else ""


def _written(name: str) -> tuple[float, str]:
    found = STATUSES.match(last_of(name))
    return (float(found.group(1)) if found else 0.0, name)


def _shows(files: Source, one: Folder) -> bool:
    """Do a few of its files begin as the tool writes them?"""
    for name in list(one.trajectories.values())[:LOOKS]:
        head = head_of(files, name)
        talk = head.lstrip()
        if b'"trajectory"' in head and b'"messages"' not in head:
            continue
        if any(mark in head for mark in MARKS) or (talk.startswith(b"[") and b'"role"' in head):
            return True
    return any(b"instances_by_exit_status" in head_of(files, name, 4096) for name in one.statuses[:LOOKS])


def planned(files: Source, log: str) -> int | None:
    """How many instances the harness said that it would run; None without a log, or where it was started several times.

    A later start says how many were left, and skips whatever an earlier one had finished, of this selection or of another.
    """
    if not log:
        return None
    stated: list[int] = []
    for line in lines_of(files, log):
        if (found := SKIPPING.search(line.data)) and int(found.group(1)):
            return None
        if found := RUNNING.search(line.data):
            stated.append(int(found.group(1)))
            if len(stated) > 1:
                return None
    return stated[0] if stated else None
