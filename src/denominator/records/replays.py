"""Running the same tasks again, later, under the same seal; and looking at a comparison before its end."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.values import NotMeasured

Number = str | NotMeasured
NO_TIME = NotMeasured("no time is stated")
HIDDEN = NotMeasured("a control of the replay is violated")
"""Why the flips of a finished replay are not told: beside the rows of its run they would tell how many passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One replay beside the run it repeats.

    `flips` of `draws` are passes that are none now, or the other way round; `unknown` draws have no verdict on one side
    and count as neither (`lo_bound`, `hi_bound` say what they could be). `rate`, `lo`, `hi` are decimal strings.
    `hours` is the time between the last ending of the first and the first start of the second, whole hours rounded down;
    `early_why` is the declared reason where that is less than a day. `ended_at` and `began_at` are those two times (UTC).
    """

    run_id: str
    hours: int | NotMeasured
    draws: int
    flips: int
    unknown: int
    rate: Number
    lo: Number
    hi: Number
    lo_bound: Number
    hi_bound: Number
    method: str
    flipped: tuple[str, ...] = ()
    early_why: str = ""
    ended_at: str | NotMeasured = NO_TIME
    began_at: str | NotMeasured = NO_TIME


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at a running comparison: when (UTC), at which two runs, on how many tasks that both had finished.

    `more_a` and `more_b` count the tasks on which the first, or the second, had more passes.
    """

    at: str
    runs: tuple[str, ...]
    tasks: int
    more_a: int
    more_b: int
