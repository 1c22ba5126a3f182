"""The one shape of a lint rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from denominator.catalog import Entry
from denominator.packs.lint.material import Material
from denominator.records.findings import Finding

Check = Callable[["Rule", Material], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A permanent code, the sin's name, the page (the docstring of the rule's file), and the check.

    `cards` says that the check makes sense of a foreign card, which has no folder; one rule, two inputs.
    """

    code: str
    name: str
    doc: str
    check: Check
    since: str = "0.1.0"
    cards: bool = False

    @property
    def entry(self) -> Entry:
        """The rule as `explain` shows it."""
        return Entry(self.code, self.name, self.since, "pack lint", self.doc)

    def finding(self, subject: str, what: str, *, where: str = "", fix: str = "", severity: str = "block") -> Finding:
        """One result of this rule."""
        return Finding(
            code=self.code, allow_name=self.name, severity=severity, subject=subject, what=what, where=where, fix=fix
        )
