"""The one shape of every label rule: facts of one row in, judgements along one axis out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from denominator.catalog import Entry
from denominator.records.labels import Evidence, Label
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms


@dataclass(frozen=True, slots=True)
class View:
    """What a rule may read: the row, the terms, imported judgements on it, and what earlier rules said, by axis."""

    row: AttemptRow
    terms: Terms
    imported: Mapping[str, Label] = field(default_factory=dict)
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def one(self, axis: str) -> str:
        """What the rule of an axis said, or nothing."""
        values = self.said.get(axis, ())
        return values[0] if values else ""


@dataclass(frozen=True, slots=True)
class Said:
    """One judgement before it becomes a label. `fields` names the facts of the row that gave it."""

    value: str
    why: str
    fields: tuple[str, ...] = ()
    confidence: str = "high"
    would_change: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A label rule: its catalog entry, its axis, its function."""

    entry: Entry
    axis: str
    judge: Callable[[View], Iterable[Said]]

    @property
    def by(self) -> str:
        """How labels name this rule: name@version."""
        return f"{self.entry.name}@{self.entry.version}"


def source_says(view: View, bucket: str) -> bool:
    """Does the source of a foreign row name this bucket? It is used only because the facts for it are missing."""
    return any(axis in view.imported and view.imported[axis].value == bucket for axis in ("mix", "tag"))


def evidence_of(row: AttemptRow, names: Iterable[str]) -> tuple[Evidence, ...]:
    """Quotes the named facts of a row."""
    return tuple(Evidence(kind="row", ref=name, quote=str(getattr(row, name))[:200]) for name in names)


def as_label(rule: Rule, row: AttemptRow, said: Said) -> Label:
    """The label that a judgement becomes."""
    return Label(
        key=row.key,
        axis=rule.axis,
        value=said.value,
        by=rule.by,
        confidence=said.confidence,
        evidence=evidence_of(row, said.fields),
        why=said.why,
        would_change=said.would_change,
    )
