"""Numbers that a job prints of itself; none of them is used as a result."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from denominator.importers.foreign import pointed
from denominator.importers.formats.harbor.layout import table, tables
from denominator.records.foreign import Published

VALID = "trials with a valid reward"
RAISED = "trials with an exception, those among them whose reward stands"
COUNTS = (
    ("n_completed_trials", "completed", "trials with a result"),
    ("n_errored_trials", "other", RAISED),
    ("n_cancelled_trials", "other", "trials with a result"),
    ("n_retries", "other", ""),
)
OLDER = {"n_completed_trials": "n_trials", "n_errored_trials": "n_errors"}


def of_job(result: Mapping[str, Any], where: str, mine: Collection[str] | None) -> Iterator[Published]:
    """What the job prints, and each evaluation in it that holds one of `mine` (None: the job has one agent, so all of it)."""
    stats = table(result.get("stats"))
    if mine is None:
        yield from _number(
            "n_total_trials", result.get("n_total_trials"), "count", "scheduled", "", where, "n_total_trials"
        )
        for name, role, of in COUNTS:
            key = name if name in stats else OLDER.get(name, name)
            yield from _number(name, stats.get(key), "count", role, of, where, "stats", key)
        yield from _number(
            "cost_usd", stats.get("cost_usd"), "usd", "cost", "trials with a result", where, "stats", "cost_usd"
        )
    for name, found in table(stats.get("evals")).items():
        one = table(found)
        if mine is None or _trials(one) & set(mine):
            yield from _evaluation(str(name), one, where)


def _evaluation(name: str, one: Mapping[str, Any], where: str) -> Iterator[Published]:
    at = ("stats", "evals", name)
    yield from _number(f"{name}: n_trials", one.get("n_trials"), "count", "completed", VALID, where, *at, "n_trials")
    yield from _number(f"{name}: n_errors", one.get("n_errors"), "count", "other", RAISED, where, *at, "n_errors")
    for index, metric in enumerate(tables(one.get("metrics"))):
        for key, value in metric.items():
            role = "rate" if key == "mean" else "other"
            for found in _number(f"{name}: {key}", value, "share", role, VALID, where, *at, "metrics", index, key):
                yield replace(found, unit_of="draws" if _all_or_nothing(one) else "other") if role == "rate" else found
    for key, value in table(one.get("pass_at_k")).items():
        yield from _number(f"{name}: pass@{key}", value, "share", "other", VALID, where, *at, "pass_at_k", key)
    for value, trials in table(table(one.get("reward_stats")).get("reward")).items():
        if isinstance(trials, list) and value in ("1", "1.0"):
            place = (*at, "reward_stats", "reward", value)
            for found in _number(f"{name}: reward 1", len(trials), "count", "passed", VALID, where, *place):
                yield replace(found, counted=True)


def _all_or_nothing(one: Mapping[str, Any]) -> bool:
    """Is every reward of it 0 or 1? A mean of others is no count."""
    rewards = table(one.get("reward_stats"))
    return set(rewards) == {"reward"} and set(table(rewards.get("reward"))) <= {"0", "1", "0.0", "1.0"}


def _trials(one: Mapping[str, Any]) -> set[str]:
    """Every trial that an evaluation names."""
    groups = (*table(one.get("reward_stats")).values(), table(one.get("exception_stats")))
    return {str(name) for group in groups for some in table(group).values() if isinstance(some, list) for name in some}


def _number(
    name: str, value: object, unit: str, role: str, of: str, where: str, *path: str | int
) -> Iterator[Published]:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return
    yield Published(
        metric=name[:300], value=str(value), unit=unit, role=role, of=of, where=f"{where}#{pointed(*path)}"[:600]
    )
