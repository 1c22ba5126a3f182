"""`results/results.json` of a submission in its three shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.errors import InputError
from denominator.importers.foreign import at, pointed, readable_id
from denominator.importers.swebench.cases import Said
from denominator.importers.swebench.lists import RunReport, is_report, once, report_of
from denominator.records.foreign import Published, Told
from denominator.records.rows import Source as Place
from denominator.wire.sources import Source, loose_json

RESULTS_BYTES = 64 << 20
OLD = (
    "no_generation", "generated", "with_logs", "install_fail", "reset_failed", "no_apply", "applied", "test_errored",
    "test_timeout", "resolved", "no_logs",
)  # fmt: skip
"""Every name that a list of format A or of the older ten has."""
FIRST = (
    "no_generation",
    "install_fail",
    "reset_failed",
    "no_apply",
    "test_timeout",
    "test_errored",
    "no_logs",
    "resolved",
)
"""The precedence among those that end an instance; then applied is unresolved, and generated without a log is no_logs."""
SHOWN = 20


@dataclass(slots=True)
class Results:
    """What the lists of a submission say. `whole`: they name every instance that was handed in, so that they are its plan."""

    file: str = ""
    report: RunReport | None = None
    said: dict[str, Said] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    fields: dict[str, dict[str, object]] = field(default_factory=dict)
    extra: dict[str, dict[str, object]] = field(default_factory=dict)
    whole: bool = False

    def resolved(self) -> set[str]:
        """The ids that are called resolved."""
        listed = {task for task, said in self.said.items() if said.state == "resolved"}
        report = self.report
        return listed | {
            task for task in (report.every() if report else ()) if report and report.state(task) == "resolved"
        }


def read_results(files: Source, name: str, told: Told) -> Results:
    """results.json of any shape. InputError: not readable, or no lists."""
    found = loose_json(files.read(name, RESULTS_BYTES), name)
    told.files[name] = "which ids were resolved"
    if is_report(found):
        return Results(name, report_of(found, name, told))
    if not isinstance(found, dict) or not isinstance(found.get("resolved"), list):
        raise InputError("holds no list of resolved ids", where=name)
    return _listed(found, name, told)


def is_results(found: object) -> bool:
    """Is it one of the shapes?"""
    return is_report(found) or (isinstance(found, dict) and isinstance(found.get("resolved"), list))


def _listed(found: Mapping[str, object], name: str, told: Told) -> Results:
    results = Results(name, whole="generated" in found)
    lists: dict[str, tuple[str, ...]] = {}
    for key, value in found.items():
        where = f"{name}#{pointed(key)}"
        if key not in OLD:
            told.say("unknown_word", where, f"a list of results is called {key[:60]!r}", blocks=isinstance(value, list))
        elif isinstance(value, list):
            lists[key] = once([task for one in value if (task := readable_id(told, where, one))], where, told)
        elif value is not None:
            told.say("bad_value", where, "is no list of ids")
    _published(found, lists, name, told)
    sets = {key: frozenset(ids) for key, ids in lists.items()}
    clashes: dict[str, list[str]] = {}
    for key, ids in lists.items():
        for index, task in enumerate(ids):
            results.places.setdefault(task, at(name, pointed(key, index), element=task))
    for task in results.places:
        held = [key for key in FIRST if task in sets.get(key, ())]
        if len(held) > 1:
            clashes.setdefault(" and ".join(held), []).append(task)
        results.said[task] = Said(held[0] if held else _else(task, sets))
    _ungenerated(results, sets, name, told)
    for names, tasks in sorted(clashes.items()):
        what = f"{len(tasks)} ids are {names} at once; taken as {names.partition(' ')[0]}"
        told.say("overlapping_lists", name, what, *sorted(tasks)[:SHOWN], blocks="resolved" in names)
    return results


def _ungenerated(results: Results, sets: Mapping[str, frozenset[str]], name: str, told: Told) -> None:
    """Where a list says what was handed in, nothing else has an ending."""
    given = sets.get("generated", frozenset()) | sets.get("no_generation", frozenset())
    if results.whole and (odd := sorted(task for task in results.said if task not in given)):
        told.say("not_handed_in", name, f"{len(odd)} ids have an ending and were not generated", *odd[:SHOWN])
        for task in odd:
            results.said[task] = Said("completed")


def _else(task: str, sets: Mapping[str, frozenset[str]]) -> str:
    """An instance that no ending list names."""
    if task in sets.get("applied", ()):
        return "unresolved"
    if task in sets.get("generated", ()) and task not in sets.get("with_logs", ()):
        return "no_logs"
    return "completed"


def _published(found: Mapping[str, object], lists: Mapping[str, tuple[str, ...]], name: str, told: Told) -> None:
    """How long the lists are as they stand: what a reader of them counts."""
    for key in lists:
        value = found[key]
        length = len(value) if isinstance(value, list) else 0
        role = "passed" if key == "resolved" else "other"
        told.published.append(
            Published(
                metric=f"{key} (entries)",
                value=str(length),
                unit="count",
                role=role,
                where=f"{name}#{pointed(key)}",
                counted=True,
            )
        )
