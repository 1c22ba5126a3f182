"""The one shape of every check: an answer in, the faults of one class out, and whether the contract could be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from denominator.catalog import Entry
from denominator.probe.answers.answer import Answer
from denominator.records.probe_results import Fault
from denominator.records.probe_words import CONTRACT_OF, PARAM_IGNORED, Cls, Contract

FAMILY = "probe classes"


@dataclass(frozen=True, slots=True)
class Check:
    """A class of failure: its page, what finds it, and of which answers the absence of a finding says something."""

    entry: Entry
    cls: Cls
    find: Callable[[Answer], Iterable[Fault]]
    seen: Callable[[Answer], bool]

    @property
    def contract(self) -> Contract:
        """The promise that it is about."""
        return CONTRACT_OF[self.cls]


def page(code: str, cls: Cls, doc: str | None) -> Entry:
    """The catalog entry of a check: named as its class."""
    return Entry(code, str(cls), "0.1.0", FAMILY, doc or "")


def ignored(parameter: str, note: str = "") -> Fault:
    """A parameter of the request that was not honoured: an observation beside the class."""
    return Fault(cls=PARAM_IGNORED, reason=parameter, note=note, observed=True)
