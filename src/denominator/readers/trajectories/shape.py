"""What a trajectory reader gives: the story in one form, the agent's own account of its spend, and its own last word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from denominator.records.events import Json
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured

NO_WORD = NotMeasured("the trajectory does not say how the agent ended")
NO_CALLS = NotMeasured("the events tell no number of model calls")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """`atif` is a trajectory document (ATIF 1.8); `said` is the agent's own word for its end, exactly as it wrote it."""

    atif: Mapping[str, Json]
    account: OwnAccount
    said: str | NotMeasured = NO_WORD


Parts = Mapping[str, bytes]
"""The files of a trajectory by part; "" is the main one."""
Reader = Callable[[Parts], Told | NotMeasured]
"""Never raises, whatever the bytes: they were written by an agent."""
