"""A run report of the harness, of sb-cli, or of an older one: which ids stand in which list, and one state for each id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from denominator.errors import InputError
from denominator.importers.foreign import pointed, readable_id
from denominator.records.foreign import Published, Told
from denominator.wire.sources import Source, loose_json

REPORT_BYTES = 16 << 20
MARKS = (b'"submitted_instances"', b'"resolved_instances"', b'"submitted_ids"', b'"resolved_ids"', b'"completed_ids"')
COUNTS = {"total_instances": "scheduled", "resolved_instances": "passed"}
"""What a count claims to be. The others count files of the harness, which no count of rows equals; they are held against
their own lists."""
LISTS = {
    "resolved": ("resolved_ids", "resolved"),
    "unresolved": ("unresolved_ids", "unresolved"),
    "empty": ("empty_patch_ids",),
    "error": ("error_ids",),
    "failed": ("failed_ids",),
    "pending": ("pending_ids",),
    "incomplete": ("incomplete_ids",),
    "completed": ("completed_ids",),
    "submitted": ("submitted_ids",),
    "infra": ("infra_failure_ids",),
    "ambiguous": ("ambiguous_failure_ids",),
}
"""List -> the names that it had in one version or another."""
STATES = ("pending", "failed", "error", "empty", "unresolved", "resolved", "incomplete")
"""The precedence: an id that stands in several lists is in the first of these, so that a pass is never taken from an overlap."""
HEAD = 1 << 16
LIKELY = 3
MOST_INSTANCES = 10**7
NAMES_OF_COUNTS = {"empty": "empty_patch", "infra": "infra_failure", "ambiguous": "ambiguous_failure"}
SHOWN = 20
PERCENT = re.compile(rb"Resolved \((total|submitted)\):?\s*([0-9]+(?:\.[0-9]+)?)\s*%")


@dataclass(slots=True)
class RunReport:
    """The lists of one report: `ids` by list, `places` where an id stands first, `reasons` of failures as the harness says."""

    file: str
    counts: dict[str, int] = field(default_factory=dict)
    ids: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    hosted: bool = False
    _sets: dict[str, frozenset[str]] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)

    def has(self, name: str, task: str) -> bool:
        """Does an id stand in a list?"""
        return task in self._sets.get(name, ())

    def state(self, task: str) -> str:
        """One of STATES, `submitted` (foreign to the dataset, or never looked at), `completed` (nobody says how), or nothing."""
        for name in (*STATES, "completed", "submitted"):
            if self.has(name, task):
                return name
        return ""

    def lists_of(self, task: str) -> tuple[str, ...]:
        """Every list that names an id."""
        return tuple(name for name in LISTS if self.has(name, task))

    def every(self) -> list[str]:
        """All ids, in the order in which the lists name them first."""
        return list(self._places)

    def place(self, task: str) -> str:
        """The pointer of the list that gives an id its state."""
        return self._places.get(task, "")

    def foreign(self) -> tuple[str, ...]:
        """Ids that were handed in and that no list of the dataset knows."""
        return tuple(task for task in self.ids.get("submitted", ()) if self.state(task) == "submitted")


def looks_like_report(files: Source, name: str) -> bool:
    """Are there the counts and lists of a run report in it? Reads the whole file only where its beginning says so."""
    try:
        if files.size(name) > REPORT_BYTES:
            return False
        with files.open(name) as stream:
            head = stream.read(HEAD)
        return any(mark in head for mark in MARKS) and is_report(loose_json(files.read(name, REPORT_BYTES), name))
    except InputError:
        return False


def is_report(found: object) -> bool:
    """A table with several of the names that only run reports hold."""
    if not isinstance(found, dict):
        return False
    known = {f"{one}_instances" for one in ("total", "submitted", "completed", "resolved", "unresolved", "error")}
    lists = {name for names in LISTS.values() for name in names} - {"resolved", "unresolved"}
    return len(known & found.keys()) + len(lists & found.keys()) >= LIKELY and _keeps_lists(found)


def _keeps_lists(found: Mapping[str, object]) -> bool:
    return all(isinstance(found[name], list | None) for names in LISTS.values() for name in names if name in found)


def read_report(files: Source, name: str, told: Told) -> RunReport:
    """The lists of a file. InputError: no JSON, or no run report."""
    found = loose_json(files.read(name, REPORT_BYTES), name)
    if not is_report(found):
        raise InputError("is no run report of the harness", where=name)
    return report_of(found, name, told)


def report_of(found: Mapping[str, object], name: str, told: Told, base: str = "") -> RunReport:
    """The lists of a document; what was printed of itself goes to `told`, and what stands twice."""
    report = RunReport(name, hosted=bool({"pending_ids", "failed_ids", "pending_instances"} & found.keys()))
    for list_, keys in LISTS.items():
        for key in keys:
            value = found.get(key)
            if isinstance(value, list) and list_ not in report.ids:
                report.ids[list_] = _ids(value, f"{name}#{base}{pointed(key)}", told)
    report._sets = {list_: frozenset(ids) for list_, ids in report.ids.items()}
    for list_ in (*STATES, "completed", "submitted", "infra", "ambiguous"):
        for index, task in enumerate(report.ids.get(list_, ())):
            report._places.setdefault(task, base + pointed(_key(found, list_), index))
    reasons = found.get("failure_reasons")
    if isinstance(reasons, dict):
        report.reasons = {task: why for task, why in reasons.items() if isinstance(why, str)}
    for key, value in found.items():
        if key.endswith("_instances") and isinstance(value, int) and not isinstance(value, bool):
            if not 0 <= value <= MOST_INSTANCES:
                told.say("bad_value", f"{name}#{base}{pointed(key)}", f"{str(value)[:40]} is no number of instances")
                continue
            report.counts[key] = value
            where = f"{name}#{base}{pointed(key)}"
            told.published.append(
                Published(metric=key, value=str(value), unit="count", role=COUNTS.get(key, "other"), where=where)
            )
    _tell_counts(report, told)
    _tell(report, told)
    return report


def _key(found: Mapping[str, object], list_: str) -> str:
    return next((key for key in LISTS[list_] if key in found), LISTS[list_][0])


def _ids(value: Iterable[object], where: str, told: Told) -> tuple[str, ...]:
    """The ids of a list, once each, in order."""
    names = [name for one in value if (name := readable_id(told, where, one))]
    return once(names, where, told)


def once(names: list[str], where: str, told: Told) -> tuple[str, ...]:
    """Names once each; how many entries were only repetitions is told."""
    found = tuple(dict.fromkeys(names))
    if len(found) < len(names):
        seen: set[str] = set()
        twice = sorted({name for name in names if name in seen or seen.add(name)})  # type: ignore[func-returns-value]
        what = f"{len(names)} entries, {len(found)} ids: an id that stands several times counts once"
        told.say("duplicate_ids", where, what, *twice[:SHOWN], blocks=False)
    return found


def _tell(report: RunReport, told: Told) -> None:
    """Overlaps, ids without a verdict, foreign ids, overlays that fit nothing."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for task in report.every():
        held = [name for name in STATES if report.has(name, task)]
        if report.has("completed", task) and held and held[0] in ("error", "failed", "empty", "pending", "incomplete"):
            held = ["completed", *held]
        if len(held) > 1:
            for one in held[1:] if held[0] != "completed" else held[1:2]:
                pairs.setdefault((held[0], one), []).append(task)
    for (one, other), tasks in sorted(pairs.items()):
        blocks = "resolved" in (one, other)
        state = other if one == "completed" else one
        what = f"{len(tasks)} ids are {one} and {other} at once; taken as {state}"
        told.say("overlapping_lists", report.file, what, *sorted(tasks)[:SHOWN], blocks=blocks)
    if lost := sorted(task for task in report.every() if report.state(task) == "completed"):
        what = f"{len(lost)} completed ids are neither resolved nor unresolved"
        told.say("unknown_ending", report.file, what, *lost[:SHOWN])
    if foreign := sorted(report.foreign()):
        what = f"{len(foreign)} ids were handed in that are not of the dataset: nobody evaluated them"
        told.say("foreign_ids", report.file, what, *foreign[:SHOWN])
    _tell_overlays(report, told)


def _tell_counts(report: RunReport, told: Told) -> None:
    """A count and the list that it counts."""
    for list_, ids in report.ids.items():
        key = f"{NAMES_OF_COUNTS.get(list_, list_)}_instances"
        if key in report.counts and report.counts[key] != len(ids):
            what = f"{key} says {report.counts[key]}, its list names {len(ids)} ids"
            told.say("count_differs", report.file, what, blocks=list_ == "resolved")


def _tell_overlays(report: RunReport, told: Told) -> None:
    for name, blocks in (("infra", False), ("ambiguous", False)):
        if tasks := sorted(report.ids.get(name, ())):
            reasons = sorted({report.reasons.get(task, "no reason") for task in tasks})
            what = (
                f"{len(tasks)} ids carry the harness's mark {name}: {', '.join(reasons)}; they stay in the denominator"
            )
            told.say(f"{name}_failures", report.file, what, *tasks[:SHOWN], blocks=blocks)
    odd = sorted(
        task for name in ("infra", "ambiguous") for task in report.ids.get(name, ()) if report.has("resolved", task)
    )
    if odd:
        told.say("contradiction", report.file, f"{len(odd)} resolved ids carry a mark of a failure", *odd[:SHOWN])


def printed_percents(data: bytes, where: str) -> list[Published]:
    """What sb-cli prints on the screen: resolved of all, and resolved of those that were handed in."""
    return [
        Published(
            metric=f"Resolved ({found[1].decode()})", value=found[2].decode(), unit="percent", role="rate",
            of=found[1].decode(), where=where,
        )
        for found in PERCENT.finditer(data)
    ]  # fmt: skip
