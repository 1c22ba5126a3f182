"""The conditions that a slip pins: what is stated, with what the rows themselves say of hosts, models and limits in force.

Of a foreign document whose number is withheld nothing is pinned that might tell it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from denominator.compare.fields import BY_NAME, FIELDS, NOTE
from denominator.compare.observed import conditions, limits
from denominator.pipeline.results import Result
from denominator.pipeline.sides import side_of
from denominator.records.comparisons import Side
from denominator.records.conditions import Condition, Conditions
from denominator.records.field_names import our_name
from denominator.records.values import NotMeasured
from denominator.slips.harness import Table
from denominator.wire.byvalue import by_value

TABLE = Table(
    left_out={one.name: one.why for one in FIELDS if one.kind == NOTE},
    needed=(*(one.name for one in FIELDS if one.core), "harness_name", "harness_version"),
)
WITHHELD = NotMeasured("it may tell the number that is withheld")


def stated_and_observed(result: Result) -> Conditions:
    """Every condition by our name, values in canonical text, sorted by name."""
    side = _by_kind(side_of("", result))
    found = {one.name: one.by for one in result.terms.conditions}
    made = [
        Condition(name=name, value=value, by=found.get(name, "recorded")) for name, value in conditions(side).items()
    ]
    made += _in_force(side)
    telling = _telling(result, [one.name for one in made])
    return tuple(
        Condition(name=one.name, value=WITHHELD if one.name in telling else one.value, by=one.by)
        for one in sorted(made, key=lambda one: one.name)
    )


def _by_kind(side: Side) -> Side:
    """Of rows that are held by kind one of each: what is asked here is which values there are, not how often."""
    if not side.sheet.like_rows:
        return side
    kinds = tuple(row for row, _ in side.sheet.like_rows)
    return replace(side, sheet=replace(side.sheet, ledger=replace(side.sheet.ledger, rows=kinds)))


def _in_force(side: Side) -> Iterable[Condition]:
    """Limits as the rows say they were enforced, and digests as sent: one value, or a value a task."""
    for name, by_task in sorted(limits(side).items()):
        values = sorted({value for told in by_task.values() for value in told})
        each = {task: sorted(told) for task, told in by_task.items()}
        yield Condition(name=name, value=by_value(values[0] if len(values) == 1 else each), by="recorded")


def _telling(result: Result, names: Iterable[str]) -> set[str]:
    """Of a foreign document: words that had to be made quiet, and of a blocked one every field that nobody knows."""
    if result.terms.origin == "seal":
        return set()
    quiet = dict(result.judged.sheet.terms.environment)
    found = {our_name(name) for name, told in result.terms.environment if quiet.get(name) != told}
    if result.judged.verdict.status != "publishable":
        found |= {name for name in names if name not in BY_NAME and not name.startswith("limits_enforced.")}
    return found
