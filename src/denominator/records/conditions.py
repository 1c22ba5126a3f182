"""Under which conditions a run was made: one value a field, or the reason why it is unknown."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One field that can move the number, named as in METHODS M8 (`model_id`, `mem_kill_mb`).

    `value` is canonical JSON text: keys sorted, numbers by value, so that 0 and 0.0 are one. `by` is `recorded`,
    `declared` or `derived`.
    """

    name: str
    value: str | NotMeasured
    by: str = "declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loosened:
    """A sealed field that is weaker than in the previous seal of the lineage; without `why` nobody answers for it."""

    field: str
    before: str
    now: str
    why: str = ""
    who: str = ""


Conditions = tuple[Condition, ...]


def condition(conditions: Conditions, name: str) -> str | NotMeasured:
    """The value of a field; unknown when nothing states it."""
    return next((one.value for one in conditions if one.name == name), NotMeasured("not stated"))
