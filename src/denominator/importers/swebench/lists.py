"""A run report of the harness, of sb-cli, or of an older one: which ids stand in which list, and one state for each id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from denominator.errors import InputError
from denominator.importers.foreign import pointed, readable_id
from denominator.importers.swebench.states import LISTS, STATES, RunReport
from denominator.importers.swebench.telling import tell_oddities
from denominator.records.foreign import Published, Told
from denominator.wire.sources import Source, loose_json

__all__ = ["LISTS", "STATES", "RunReport", "is_report", "looks_like_report", "once", "read_report", "report_of"]

REPORT_BYTES = 16 << 20
MARKS = (b'"submitted_instances"', b'"resolved_instances"', b'"submitted_ids"', b'"resolved_ids"', b'"completed_ids"')
COUNTS = {"total_instances": "scheduled", "resolved_instances": "passed"}
"""What a count claims to be. The others count files of the harness, which no count of rows equals; they are held against
their own lists."""
HEAD = 1 << 16
LIKELY = 3
MOST_INSTANCES = 10**7
SHOWN = 20


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
    tell_oddities(report, told)
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
