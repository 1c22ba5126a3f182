"""`resolved_by_repo.json` and `resolved_by_time.json`: sums of the list of resolved ids, and the size of the split."""

from __future__ import annotations

from denominator.errors import InputError
from denominator.importers.formats.swebench_experiments.results import RESULTS_BYTES, Results
from denominator.importers.swebench.lists import MOST_INSTANCES
from denominator.records.foreign import Published, Told
from denominator.wire.sources import Source, loose_json

SIBLINGS = ("resolved_by_repo.json", "resolved_by_time.json")


def check_siblings(files: Source, folder: str, results: Results, told: Told) -> int | None:
    """resolved_by_repo and resolved_by_time must sum to the list; the total that they agree on is the number of the dataset."""
    totals = set()
    count = len(results.resolved())
    for base in SIBLINGS:
        name = f"{folder}/{base}" if folder else base
        if name not in files.names():
            continue
        try:
            sums = _sums(loose_json(files.read(name, RESULTS_BYTES), name))
        except InputError as error:
            told.say("unreadable_member", name, error.what, blocks=False)
            continue
        told.files[name] = "sums of the list of resolved ids"
        resolved, total = sums
        told.published.append(
            Published(metric=base, value=str(resolved), unit="count", role="passed", where=name, counted=True)
        )
        if resolved != count:
            told.say("sums_differ", name, f"sums to {resolved} resolved, the list holds {count} ids")
        totals |= {total} if total else set()
    if len(totals) > 1:
        told.say(
            "sums_differ",
            folder or files.name,
            f"sums over repositories and years give {len(totals)} sizes",
            blocks=False,
        )
    return next(iter(totals)) if len(totals) == 1 else None


def _sums(found: object) -> tuple[int, int]:
    resolved = total = 0
    for one in found.values() if isinstance(found, dict) else ():
        if isinstance(one, dict):
            resolved += _whole(one.get("resolved"))
            total += _whole(one.get("total"))
        elif isinstance(one, list):
            resolved += len(one)
    return resolved, total


def _whole(value: object) -> int:
    if isinstance(value, list):
        return len(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_INSTANCES else 0
