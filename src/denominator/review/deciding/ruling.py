"""What people's decisions on one row come to: the labels that take the place of the rules' own, and what stays disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from denominator.catalog import Entry
from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence, Label
from denominator.records.reviews import Decision, Dispute
from denominator.review.words import PERSON

PEOPLE = Entry(code="", name="people", since="0.1.0", family="labels", doc=__doc__ or "")
"""Stands where a label of a rule has the rule."""
BY = f"{PEOPLE.name}@{PEOPLE.version}"


@dataclass(frozen=True, slots=True)
class Ruling:
    """`labels` by axis take the place of what the rules say; `stands` is what the row is then, by axis.

    `changed` are the axes on which that is another value than the rules gave.
    """

    labels: Mapping[str, Label] = field(default_factory=dict)
    stands: Mapping[str, str] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    disputes: tuple[Dispute, ...] = ()
    adjudicated: bool = False


@dataclass(slots=True)
class Case:
    """One row while it is being settled: what stands on each axis so far."""

    key: AttemptKey
    slice: str
    verdict: str
    stands: dict[str, str]
    allowed: Mapping[str, Sequence[str]]
    decisions: Mapping[str, Decision]
    violated: bool = False
    labels: dict[str, Label] = field(default_factory=dict)
    disputes: list[Dispute] = field(default_factory=list)
    adjudicated: bool = False

    def final(self, axis: str) -> Decision | None:
        """The decision that people came to on an axis, if they came to one of its values."""
        found = self.decisions.get(axis)
        return found if found is not None and found.value in self.allowed.get(axis, ()) else None

    def give(self, decision: Decision) -> None:
        """Let a decision stand."""
        said_by = zip(decision.labels, decision.people, decision.values, strict=True)
        quotes = tuple(Evidence(kind="label", ref=name, quote=f"{PERSON}{who}: {what}") for name, who, what in said_by)
        said = f"{' and '.join(dict.fromkeys(decision.people))} {decision.state}: {decision.value}"
        why = f"{said}; the rules said {self.stands.get(decision.axis) or 'nothing'}"
        self.put(decision.axis, decision.value, f"{why}; {decision.why}" if decision.why else why, quotes, decision)

    def put(self, axis: str, value: str, why: str, quotes: tuple[Evidence, ...], decision: Decision) -> None:
        """A label by people, also where it only follows from another one."""
        evidence = (*quotes, *decision.evidence)
        self.labels[axis] = Label(key=self.key, axis=axis, value=value, by=BY, evidence=evidence, why=why)
        self.stands[axis] = value
        self.adjudicated = self.adjudicated or decision.state == "adjudicated"

    def refuse(self, decision: Decision, why: str) -> None:
        """The rules' label stands, and why."""
        stands = self.stands.get(decision.axis, "")
        values = tuple(sorted(set(decision.values)))
        self.disputes.append(Dispute(key=self.key, axis=decision.axis, values=values, stands=stands, why=why))
