"""What the rows of an arm themselves say about its conditions: facts go before what a document declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from denominator.compare.fields import our_name
from denominator.records.comparisons import Side
from denominator.records.conditions import Condition
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from denominator.wire.byvalue import by_value, same_by_value

NONE = '"none"'
Values = dict[str, str | NotMeasured]

SEALED_ROWS = "own"
"""Rows of ours copy their access and server class from the seal: they observe neither."""


def conditions(side: Side, rows: bool = True) -> Values:
    """Every condition of an arm by name, values in canonical text; what all rows record stands beside what is stated.

    Without `rows` only what is stated: the other side is a document alone, which records nothing.
    """
    found: Values = {}
    for one in side.sheet.terms.conditions:
        found.setdefault(our_name(one.name), _value(one))
    if rows and (models := answered(side)):
        found.setdefault("served_model", by_value(models))
    elif found.get("model_id") == NONE:
        found.setdefault("served_model", NONE)
    for name, counts in observed(side).items() if rows else ():
        if name in found or not counts:
            continue
        several = NotMeasured(f"{len(counts)} of them in this arm")
        found[name] = by_value(next(iter(counts))) if len(counts) == 1 else several
    return found


def _value(one: Condition) -> str | NotMeasured:
    return one.value if isinstance(one.value, NotMeasured) else same_by_value(one.value)


def observed(side: Side) -> Mapping[str, Counter[str]]:
    """How many rows name which host, quantisation, access class and server class. An attempt that names two counts for both."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in OBSERVED}
    for row in side.sheet.ledger.rows:
        for name, values in _of_row(row):
            counts[name].update(values)
    return counts


OBSERVED = ("served_host", "quantisation", "access_class", "server_class")


def _of_row(row: AttemptRow) -> Iterable[tuple[str, tuple[str, ...]]]:
    yield "served_host", tuple(dict.fromkeys(row.served_hosts))
    yield "quantisation", tuple(dict.fromkeys(row.quantisations))
    if row.source.kind != SEALED_ROWS:
        yield "access_class", (row.access_class,) if isinstance(row.access_class, str) else ()
        yield "server_class", (row.server_class,) if isinstance(row.server_class, str) else ()


def served_models(side: Side) -> dict[str, Counter[str]]:
    """How often which model answered to which asked name: by calls where there are calls, else by rows."""
    found: dict[str, Counter[str]] = {}
    for call in side.sheet.ledger.calls:
        if isinstance(call.served_model, str):
            asked = call.asked_model if isinstance(call.asked_model, str) else ""
            found.setdefault(asked, Counter())[call.served_model] += 1
    if found:
        return found
    for row in side.sheet.ledger.rows:
        asked = row.asked_model if isinstance(row.asked_model, str) else ""
        for served in dict.fromkeys(row.served_models):
            found.setdefault(asked, Counter())[served] += 1
    return found


def answered(side: Side) -> list[str]:
    """The models that answered, without the provider before the slash."""
    return sorted({plain_model(name) for counts in served_models(side).values() for name in counts})


def plain_model(name: str) -> str:
    """A model's name without the provider before the slash."""
    return name.rpartition("/")[2].casefold()


LIMIT_FIELDS = {
    "wall": "wall_cap_s",
    "wall_s": "wall_cap_s",
    "tokens": "budget_tokens_per_task",
    "output_tokens": "max_output_tokens",
    "memory": "mem_kill_mb",
    "memory_mb": "mem_kill_mb",
    "memory_kill_mb": "mem_kill_mb",
    "memory_guaranteed_mb": "mem_guaranteed_mb",
    "processes": "processes",
    "disk": "disk_mb",
    "file": "file_mb",
    "open_files": "open_files",
    "output": "output_cap_bytes",
}
"""The condition that a limit as enforced belongs to."""


SENT_FIELDS = {"prompt_sha256": "prompt_template_sha256", "tools_sha256": "tool_list_digest"}
"""The condition that a digest as sent belongs to."""

ByTask = dict[str, set[str]]


def limits(side: Side) -> dict[str, ByTask]:
    """Limits as the rows say they were enforced, and digests as sent: by name, by task, the distinct values."""
    found: dict[str, ByTask] = {}
    for row in side.sheet.ledger.rows:
        told = {f"limits_enforced.{name}": value for name, value in row.limits_enforced.items()}
        told |= {name: sent for name in SENT_FIELDS if isinstance(sent := getattr(row, name), str)}
        for name, value in told.items():
            found.setdefault(name, {}).setdefault(row.key.task_id, set()).add(value)
    return found


def condition_of(name: str) -> str:
    """The field that a limit in force or a digest as sent belongs to."""
    limit = name.removeprefix("limits_enforced.")
    return SENT_FIELDS.get(name) or LIMIT_FIELDS.get(limit, limit)
