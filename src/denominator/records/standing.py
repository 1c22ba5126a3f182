"""Where a run stands, as its journal can tell without being read whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.records.events import Event
from denominator.records.keys import AttemptKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is settled in numbers, what is open in full, all of one moment.

    `newest` is the last sequence number (0: none). `promised` are all promised attempts in promise order; `ended` counts
    those with an ending by the purpose they were promised for. `open` are the events of promised attempts without an
    ending, `of_run` those of no attempt, both in order.
    """

    newest: int
    promised: tuple[AttemptKey, ...]
    ended: Mapping[str, int]
    open: tuple[Event, ...]
    of_run: tuple[Event, ...]
