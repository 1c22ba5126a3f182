"""Agent-off results: tasks whose tests say both, tasks green without an agent, gold patches that no longer pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from denominator.importers.columns import Cells
from denominator.importers.raw import RawRow, json_text


@dataclass(frozen=True, slots=True)
class Baseline:
    """Task ids by what the agent-off results say of them."""

    flaky: tuple[str, ...] = ()
    green: tuple[str, ...] = ()
    gold_red: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()


def read_baseline(raws: Iterable[RawRow], environment: Mapping[str, str], rows: Iterable[Cells]) -> Baseline:
    """From baseline rows at the run's own concurrency, and from what the rows say of the gold patch."""
    base: dict[str, set[str]] = {}
    gold: dict[str, list[tuple[str, str]]] = {}
    for raw in raws:
        task, status = raw.value.get("task_id"), raw.value.get("status")
        if not isinstance(task, str) or status not in ("pass", "fail") or not _here(raw, environment):
            continue
        if raw.value.get("arm") is None:
            base.setdefault(task, set()).add(str(status))
        elif raw.value.get("arm") == "gold":
            gold.setdefault(task, []).append((str(raw.value.get("date") or ""), str(status)))
    red = {task for task, runs in gold.items() if all(status == "fail" for _, status in _last(runs))}
    expired = {task for task in red if any(status == "pass" for _, status in gold[task])}
    return Baseline(
        flaky=_ids(task for task, found in base.items() if len(found) == 2),
        green=_ids(task for task, found in base.items() if found == {"pass"}),
        gold_red=_ids({*(red - expired), *(cells.text("task_id") for cells in rows if _gold_red(cells))}),
        expired=_ids(expired),
    )


def _here(raw: RawRow, environment: Mapping[str, str]) -> bool:
    """Was this taken at the concurrency that the manifest states? Where either is silent it counts."""
    found, stated = raw.value.get("concurrency"), environment.get("concurrency")
    return found is None or stated is None or json_text(found) == stated


def _last(runs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The runs of the latest date; text dates sort as they should."""
    latest = max(date for date, _ in runs)
    return [run for run in runs if run[0] == latest]


def _gold_red(cells: Cells) -> bool:
    status = cells.table("gold").get("verify_exit")
    return isinstance(status, int) and status != 0


def _ids(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(found)))
