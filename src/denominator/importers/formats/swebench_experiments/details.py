"""`per_instance_details.json`: resolved, cost and calls of each instance."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from denominator.importers.foreign import at, pointed, readable_id
from denominator.importers.formats.swebench_experiments.results import Results
from denominator.importers.swebench.cases import Said
from denominator.records.facts import OwnAccount
from denominator.records.foreign import Told
from denominator.records.values import NotMeasured


def details_of(found: object, name: str, told: Told, base: str = "") -> Results:
    """`{id: {resolved, cost, api_calls}}`."""
    results = Results(name)
    if not isinstance(found, dict):
        told.say("bad_value", name, "is no table of instances")
        return results
    for task, value in found.items():
        where = f"{name}#{base}{pointed(task)}"
        if not readable_id(told, where, task):
            continue
        results.places[task] = at(name, base + pointed(task), element={task: value})
        table = value if isinstance(value, dict) else {}
        resolved = table.get("resolved") if table else value
        if not isinstance(resolved, bool):
            told.say("unknown_outcome", where, f"{task}: {str(resolved)[:40]!r} is neither true nor false", task)
            results.said[task] = Said("completed")
            continue
        results.said[task] = Said("resolved" if resolved else "unresolved")
        results.fields[task] = {"own_account": _account(table)}
        kept = {key: table[key] for key in ("cost", "api_calls") if isinstance(table.get(key), int | Decimal)}
        results.extra[task] = kept
    return results


def _account(table: Mapping[str, object]) -> OwnAccount:
    """What the agent says that it spent; a cost of 0 is no measurement where calls were made, nor where none were counted."""
    cost, calls = table.get("cost"), table.get("api_calls")
    number = calls if isinstance(calls, int) and not isinstance(calls, bool) and calls >= 0 else None
    known = isinstance(cost, int | Decimal) and not isinstance(cost, bool) and cost > 0
    return OwnAccount(
        source="mini-swe-agent",
        cost=f"{cost:f}"
        if isinstance(cost, Decimal) and known
        else str(cost)
        if known
        else NotMeasured("printed as 0 or absent"),
        calls=NotMeasured("not printed") if number is None else number,
    )
