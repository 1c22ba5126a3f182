"""One row of OpenHands benchmarks as facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from denominator.importers.agentruns import Handed, counted, handed, table_of
from denominator.importers.carried import carried
from denominator.importers.clocks import moment
from denominator.importers.formats.openhands import endings
from denominator.importers.swebench import endings as graded
from denominator.readers.trajectories.plain import dollars, objects
from denominator.records.facts import OwnAccount, TestCounts
from denominator.records.foreign import Ending, Told
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured

SOURCE = "OpenHands"
UNTOLD = NotMeasured("the row tells no usage")
INNER = NotMeasured("retries inside an attempt leave no record of what they used")
FLAGS = ("empty_generation", "resolved", "failed_apply_patch", "error_eval", "test_timeout")
ENDS = {
    "error_eval": endings.BAD_EVALUATION,
    "test_timeout": graded.TIMED_OUT,
    "failed_apply_patch": endings.BAD_PATCH,
    "empty_generation": endings.EMPTY,
}


@dataclass(slots=True)
class Verdict:
    """What judged a row, and facts that come with it."""

    ending: Ending
    fields: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Row:
    """A row without its conversation. `verdict`: of the row itself."""

    task: str
    stated: int | None
    error: str
    patch: Handed | None
    verdict: Verdict | None
    fields: dict[str, Any]
    extra: dict[str, object]


def row_of(value: Mapping[str, Any], task: str, where: str, told: Told) -> Row:
    """What a row says. `stated` is the attempt that it names itself."""
    result = table_of(value, "test_result")
    error = value.get("error")
    patch = handed(result.get("git_patch"))
    metrics = table_of(value, "metrics")
    usage = _usage(value, metrics)
    row = Row(
        task=task,
        stated=counted(value.get("attempt")),
        error=error if isinstance(error, str) else "an error without a text" if error else "",
        patch=patch,
        verdict=verdict_of(result, task, where, told),
        fields={"usage": usage, "own_account": _account(metrics, result, usage)},
        extra={"events": len(value["history"]) if isinstance(value.get("history"), list) else None},
    )
    starts = objects(value.get("runtime_runs"))
    if starts:
        row.fields["started_at"] = moment(starts[0].get("started_at"), "no start of a box is recorded")
        row.extra["box_starts"] = len(starts)
    if row.error:
        row.extra["error"] = carried(row.error[:300])
    return row


def _usage(value: Mapping[str, Any], metrics: Mapping[str, Any]) -> Usage:
    """Sums that the agent's client made of the provider's counts; cached tokens are part of the prompt."""
    sums, listed = table_of(metrics, "accumulated_token_usage"), metrics.get("token_usages")
    several = len(objects(value.get("runtime_runs"))) > 1
    told = {
        "prompt": sums.get("prompt_tokens"),
        "completion": sums.get("completion_tokens"),
        "cached_read": sums.get("cache_read_tokens"),
        "cache_write": sums.get("cache_write_tokens"),
        "reasoning": sums.get("reasoning_tokens"),
        "calls": len(listed) if isinstance(listed, list) else None,
    }
    known: dict[str, Any] = {name: UNTOLD if counted(one) is None else counted(one) for name, one in told.items()}
    return Usage(**known, complete=False if several else INNER)


def _account(metrics: Mapping[str, Any], result: Mapping[str, Any], usage: Usage) -> OwnAccount:
    cost = dollars(metrics.get("accumulated_cost"))
    if isinstance(cost, NotMeasured) and isinstance(dollars(result.get("proxy_cost")), str):
        cost = dollars(result.get("proxy_cost"))
    return OwnAccount(
        source=SOURCE, prompt=usage.prompt, completion=usage.completion, cached=usage.cached_read, cost=cost,
        calls=usage.calls,
    )  # fmt: skip


def unpriced(row: Row) -> bool:
    """Did it use tokens, and is its cost unknown?"""
    account = row.fields["own_account"]
    return isinstance(account.cost, NotMeasured) and isinstance(account.prompt, int) and account.prompt > 0


def verdict_of(result: Mapping[str, Any], task: str, where: str, told: Told) -> Verdict | None:
    """What a row itself says of its outcome; None: nothing."""
    report = table_of(result, "report")
    if any(isinstance(report.get(name), bool) for name in FLAGS):
        return _of_flags(report, task, where, told)
    evaluated = result.get("eval_result")
    table = evaluated if isinstance(evaluated, dict) else {}
    passed, total = counted(table.get("num_passed")), counted(table.get("num_tests"))
    if passed is not None and total is not None and total > 0:
        counts = TestCounts(expected=total, passed=passed)
        return Verdict(endings.ALL_TESTS if passed == total else endings.SOME_TESTS, {"test_counts": counts})
    for name, value in (
        ("resolved", result.get("resolved")),
        ("score", result.get("score")),
        ("eval_result", evaluated),
    ):
        if isinstance(value, bool) or (isinstance(value, int | Decimal) and value in (0, 1)):
            return Verdict(endings.SCORED if value else endings.NOT_SCORED)
        if isinstance(value, int | Decimal | str):
            told.say("unknown_outcome", where, f"{task}: {name} is {str(value)[:40]!r}, neither solved nor not", task)
    return None


def _of_flags(report: Mapping[str, Any], task: str, where: str, told: Told) -> Verdict:
    raised = [name for name in ENDS if report.get(name) is True]
    if report.get("resolved") is True and raised:
        told.say("contradiction", where, f"{task}: resolved, and {', '.join(raised)}", task)
    if raised:
        return Verdict(ENDS[raised[0]])
    return Verdict(endings.SCORED if report.get("resolved") is True else endings.NOT_SCORED)
