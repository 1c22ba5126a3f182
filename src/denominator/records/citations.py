"""May a run be cited? What its rule says, and every field that is missing for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """One field that a citation needs and nobody recorded. `row` is a place (file:line, or the attempt), or empty for a card."""

    row: str
    task: str
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The word on citing a run under its sealed rule.

    `status` is citeable, not_citeable or unchecked (a rule in free words, which a person must check). `rule` is the rule as
    it was written; `evaluated` the known rule that was held against the run, empty when there is none. `reasons` are in
    words; `sentence` is what may be shipped, `may_not` what nobody may write; both are the gate's own.
    """

    status: str
    rule: str
    evaluated: str
    reasons: tuple[str, ...]
    lacks: tuple[Lack, ...]
    sentence: str
    may_not: tuple[str, ...]
    exit: int
