"""Where exercises and their results lie in a folder of aider's benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from denominator.wire.names import id_problem
from denominator.wire.sources import Source

FILE = ".aider.results.json"
BELOW = ["exercises", "practice"]


@dataclass(slots=True)
class Run:
    """One run: the ids of its exercises, the member that holds the result of each that has one, and folders that are no id."""

    tasks: set[str] = field(default_factory=set)
    results: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)


class Place(NamedTuple):
    """The exercise that a member belongs to: the folder of its run, language and name, and what lies below its folder."""

    run: str
    language: str
    name: str
    rest: str

    @property
    def task(self) -> str:
        """Language and name; names occur in several languages."""
        return f"{self.language}/{self.name}" if self.language else self.name


def runs_in(files: Source) -> dict[str, Run]:
    """The runs of a folder by name: the last part of their path, or all of it where two end alike."""
    names = files.names()
    if not any(name.endswith("/" + FILE) for name in names):
        return {}
    runs: dict[str, Run] = {}
    for name, place in _places(names):
        run = runs.setdefault(place.run, Run())
        if id_problem(place.task) is not None:
            run.refused.add(place.task)
            continue
        run.tasks.add(place.task)
        if place.rest == FILE:
            run.results[place.task] = name
    return _named({path: run for path, run in runs.items() if run.results}, files.name)


def place_of(name: str) -> Place | None:
    """The exercise of a member in `[RUN/]LANGUAGE/exercises/practice/NAME/`."""
    parts = name.split("/")
    for at in range(len(parts) - 3):
        if parts[at : at + 2] == BELOW:
            language = parts[at - 1] if at else ""
            return Place("/".join(parts[: max(at - 1, 0)]), language, parts[at + 2], "/".join(parts[at + 3 :]))
    return None


def _places(names: Sequence[str]) -> Iterator[tuple[str, Place]]:
    """Every member below an exercise; in folders of the older shape every folder beside one with a result is one."""
    older = {name.rsplit("/", 2)[0] if name.count("/") > 1 else "" for name in names if _is_older(name)}
    for name in names:
        if (place := place_of(name)) is not None:
            yield name, place
            continue
        parts = name.split("/")
        for at in range(len(parts) - 1):
            if (path := "/".join(parts[:at])) in older:
                yield name, Place(path, "", parts[at], "/".join(parts[at + 1 :]))
                break


def _is_older(name: str) -> bool:
    return name.endswith("/" + FILE) and place_of(name) is None


def _named(runs: dict[str, Run], top: str) -> dict[str, Run]:
    last = {path: path.rpartition("/")[2] or top for path in runs}
    often = Counter(last.values())
    return {name if often[name] == 1 else path or f"{top} itself": runs[path] for path, name in sorted(last.items())}
