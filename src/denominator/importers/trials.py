"""Are the attempt numbers of foreign rows tries of one draw, or trials (repeats)? Only a declaration makes retries of them."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.raw import RawRow
from denominator.importers.stated import Stated

NOTE = "attempt numbers were read as trials (repeats): {why}, and no retry policy was declared"


def as_trials(raws: Sequence[RawRow], stated: Stated, one_trial_a_row: bool) -> tuple[tuple[RawRow, ...], str]:
    """The rows with attempt k as repeat k where they are trials, and a note that says so."""
    retries = stated.attempts is not None or stated.retry_policy is not None
    numbered = any(_attempt(row) > 1 for row in raws)
    why = "each row is graded by itself" if one_trial_a_row else "the manifest declares repeats"
    if retries or not numbered or any("repeat" in row.value for row in raws):
        return tuple(raws), ""
    if not one_trial_a_row and (stated.repeats or 1) == 1:
        return tuple(raws), ""
    return tuple(_as_repeat(row) for row in raws), NOTE.format(why=why)


def _attempt(row: RawRow) -> int:
    found = row.value.get("attempt")
    return found if isinstance(found, int) and not isinstance(found, bool) else 1


def _as_repeat(row: RawRow) -> RawRow:
    return row.with_values(repeat=row.value["attempt"], attempt=1) if "attempt" in row.value else row
