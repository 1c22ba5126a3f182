"""Numbers that a run prints of itself, and whether its lists are those of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from denominator.importers.foreign import pointed
from denominator.importers.formats.terminal_bench.layout import METADATA, MOST_NAMED, Place, table
from denominator.records.foreign import UNSAID, Published, Told

TRIALS = "trials with a result, those without a verdict among the failures"


def of_run(place: Place, results: Mapping[str, Any], metadata: Mapping[str, Any]) -> Iterator[Published]:
    """Accuracy, counts and pass@k of results.json; accuracy, pass@k and the size of the data set of run_metadata.json."""
    n = [results.get("n_resolved"), results.get("n_unresolved")]
    known = [one for one in n if isinstance(one, int) and not isinstance(one, bool) and one >= 0]
    out_of = sum(known) if len(known) == len(n) else UNSAID
    for where, found in ((place.results, results), (place.file(METADATA), metadata)):
        for one in _number("accuracy", found.get("accuracy"), "share", "rate", TRIALS, where, "accuracy"):
            yield replace(one, out_of=out_of, unit_of="draws")
        for k, value in table(found.get("pass_at_k")).items():
            yield from _number(f"pass@{k}", value, "share", "other", "tasks", where, "pass_at_k", k)
    yield from _number("n_resolved", results.get("n_resolved"), "count", "passed", TRIALS, place.results, "n_resolved")
    yield from _number(
        "n_unresolved", results.get("n_unresolved"), "count", "other", TRIALS, place.results, "n_unresolved"
    )
    size = metadata.get("dataset_size")
    yield from _number("dataset_size", size, "count", "other", "tasks", place.file(METADATA), "dataset_size")


def _number(
    name: str, value: object, unit: str, role: str, of: str, where: str, *path: str | int
) -> Iterator[Published]:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return
    yield Published(
        metric=name[:80], value=str(value), unit=unit, role=role, of=of, where=f"{where}#{pointed(*path)}"[:600]
    )


def hold_lists(
    place: Place, results: Mapping[str, Any], flags: Mapping[tuple[str, int], bool | None], told: Told
) -> None:
    """`resolved_ids` and `unresolved_ids` name a task once a trial, or once; the rows must give the same lists."""
    mine = {
        "resolved_ids": Counter(task for (task, _), flag in flags.items() if flag),
        "unresolved_ids": Counter(task for (task, _), flag in flags.items() if not flag),
    }
    for name, rows in mine.items():
        listed = results.get(name)
        if not isinstance(listed, list):
            continue
        there = Counter(one for one in listed if isinstance(one, str))
        if set(there) == set(rows) and max(there.values(), default=1) == 1:
            continue
        other = sorted(task for task in {*there, *rows} if there[task] != rows[task])
        if other:
            told.say("lists_differ", place.results, f"{name} is not what the rows say", *other[:MOST_NAMED])
