"""What a check of the product by itself found: each bad thing that it ships beside its honest twin, and which rule caught it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Found(StrEnum):
    """`caught`: the bad one by its rule, and the twin by nothing. `missed` and `accused` fail the check, and so does `unknown`.

    `not_shown` says that nothing was tried, and why.
    """

    CAUGHT = "caught"
    MISSED = "missed"
    ACCUSED = "accused"
    UNKNOWN = "unknown"
    NOT_SHOWN = "not_shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCheckLine:
    """One bad thing: its kind and name, the rule that must catch it, its honest twin, and what was seen."""

    kind: str
    name: str
    rule: str
    twin: str
    found: str
    seen: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCheck:
    """`selfcheck --json`. `rules_digest` is of the rules that were asked, `corpus_sha` of the attacks that were played."""

    version: str
    rules_digest: str
    corpus_sha: str
    quick: bool
    lines: tuple[SelfCheckLine, ...]
    schema_version: int = 1

    @property
    def holds(self) -> bool:
        """Was everything that was tried caught, and no twin accused?"""
        return not any(one.found in (Found.MISSED, Found.ACCUSED, Found.UNKNOWN) for one in self.lines)

    @property
    def kinds(self) -> dict[str, Counter[str]]:
        """How many of each kind were found how, in the order of the lines."""
        counts: dict[str, Counter[str]] = {}
        for one in self.lines:
            counts.setdefault(one.kind, Counter())[one.found] += 1
        return counts
