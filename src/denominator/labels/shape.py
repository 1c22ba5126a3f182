"""The one shape of every label rule: the facts of one row in, judgements out, or the reason why it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from denominator.catalog import Entry
from denominator.records.labels import Evidence, Label
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.records.words import Axis

ENDING = "ending"
"""The axis of rules that give outcome, origin and reason at once."""


@dataclass(frozen=True, slots=True)
class View:
    """What a rule may read: the row, the terms, imported judgements on it, and what was said before, by axis.

    `row` is the essence of a row (`essence.py`): only facts that can move a label, without digests, names and times. A
    text of a rule therefore quotes no value of it; the evidence of the label does, from the row itself.
    """

    row: AttemptRow
    terms: Terms
    imported: Mapping[str, Label] = field(default_factory=dict)
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def one(self, axis: str) -> str:
        """What the rules of an axis said, or nothing."""
        values = self.said.get(axis, ())
        return values[0] if values else ""


@dataclass(frozen=True, slots=True)
class Said:
    """One judgement before it becomes a label. `fields` name the facts that gave it, as in `patch.outside`."""

    value: str
    why: str
    fields: tuple[str, ...] = ()
    confidence: str = "high"
    would_change: str = ""
    axis: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """Outcome, origin and, when unscoreable, the reason; an unscoreable ending without a reason is unresolved."""

    outcome: str
    origin: str
    why: str
    fields: tuple[str, ...] = ()
    reason: str = ""
    confidence: str = "high"
    would_change: str = ""

    def said(self) -> tuple[Said, ...]:
        """The same as one judgement per axis."""
        values = [(Axis.OUTCOME, self.outcome), (Axis.ORIGIN, self.origin)]
        if self.outcome == "unscoreable" and self.reason:
            values.append((Axis.REASON, self.reason))
        return tuple(
            Said(value, self.why, self.fields, self.confidence, self.would_change, axis) for axis, value in values
        )


@dataclass(frozen=True, slots=True)
class No:
    """A rule does not hold: why not, and the facts that it looked at."""

    why: str
    fields: tuple[str, ...] = ()


Answer = Said | Ending | No


@dataclass(frozen=True, slots=True)
class Page:
    """A catalog entry that explains an axis; its rules are a family of their own."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Rule:
    """A label rule: its catalog entry, its axis, its function, and which other facts would have changed its answer."""

    entry: Entry
    axis: str
    judge: Callable[[View], Answer]
    would_change: str = ""

    @property
    def by(self) -> str:
        """How labels name this rule: name@version."""
        return f"{self.entry.name}@{self.entry.version}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A rule that was asked about the essence of a row, and what it said (nothing: it does not hold)."""

    rule: Rule
    said: tuple[Said, ...]
    no: No


@dataclass(frozen=True, slots=True)
class Tried:
    """A rule that was asked about a row: what it said, or why it does not hold; `evidence` are the facts it looked at.

    `axis` is the family that asked it: ending (outcome, origin and reason at once), failure_class, tag, control, mix. In a
    family where the first wins (all but tag) the last rule tried is the one that won, when it said anything.
    """

    rule: Rule
    axis: str
    said: tuple[Said, ...]
    why_not: str
    evidence: tuple[Evidence, ...] = ()


def source_says(view: View, bucket: str) -> bool:
    """Does the source of a foreign row name this bucket? It is used only because the facts for it are missing."""
    return any(label.axis in (Axis.MIX, Axis.TAG) and label.value == bucket for label in view.imported.values())
