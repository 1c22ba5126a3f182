"""Numbers with everything that is needed to defend them."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.values import NotMeasured

NOT_STATED = NotMeasured("not stated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number or the reason why there is none. `value`, `lo`, `hi` are decimal strings, 6 digits, half-even.

    `by` holds the same metric by a part of it, as (part, number): k of pass@k, the class of an invalid call.
    """

    metric: str
    estimand: str
    numerator: int | NotMeasured
    denominator: int | NotMeasured
    unit: str
    value: str | NotMeasured
    lo: str | NotMeasured
    hi: str | NotMeasured
    level: str = "0.95"
    method: str = ""
    n_tasks: int | NotMeasured = NOT_STATED
    repeats: int | NotMeasured = NOT_STATED
    secondary: bool = False
    rows_digest: str = ""
    withheld_by: tuple[str, ...] = ()
    by: tuple[tuple[str, str], ...] = ()
