"""Judgements on rows, with the rule and the evidence that gave them."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.keys import AttemptKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where to look: an event, a call, a place in a blob, or a field of the row."""

    kind: str
    ref: str
    stream: str = ""
    offset: int = 0
    length: int = 0
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One judgement along one axis. `by` is a rule (`name@version`), `person:NAME` or `import:FORMAT`."""

    key: AttemptKey
    axis: str
    value: str
    by: str
    confidence: str = "high"
    evidence: tuple[Evidence, ...] = ()
    why: str = ""
    would_change: str = ""
    sheet: str = ""
    blind: bool = False
    supersedes: str = ""
    at: str = ""
    schema_version: int = 1
