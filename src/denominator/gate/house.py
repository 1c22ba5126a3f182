"""Gate rules of a house: written elsewhere, and able to do one thing only, which is to add findings.

Whatever such a rule asks for beside that is taken away: it caps nothing, hides nothing and waives nothing. It is asked
late, on a sheet without what is withheld, and where the number is withheld in the end its words lose their numbers too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, unknown
from denominator.records.findings import Finding
from denominator.records.judgements import Sheet
from denominator.records.words import Severity
from denominator.stats.mentions import GONE, without_numbers

FAMILY = "house"
CODE = re.compile(r"H[0-9]{3,6}")
NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
COUNT = re.compile(r"(?<![\w.-])[0-9]+(?:[.,/][0-9]+)*(?: ?%)?(?![\w-])")
ADDED = (Severity.BLOCK, Severity.NOTE, Severity.UNKNOWN)
STOPS = (Severity.BLOCK, Severity.UNKNOWN)


def rule_problem(found: object, taken: Iterable[str]) -> str:
    """Why something is no rule of a house, or nothing. `taken` are codes and names that other rules have."""
    if not isinstance(found, Rule) or not isinstance(found.entry, Entry):
        return "it is no denominator.gate.Rule"
    code, name = found.entry.code, found.entry.name
    if not CODE.fullmatch(code):
        return f"its code {code!r} is not H and three to six digits"
    if not NAME.fullmatch(name):
        return f"its name {name!r} is not lower-case words with dashes"
    used = [one for one in (code, name) if one in set(taken)]
    return f"{used[0]} is another rule's" if used else ""


def admitted(found: Rule) -> Rule:
    """The rule with nothing left but its findings; they block, note or are unknown."""

    def check(sheet: Sheet) -> Iterable[Said]:
        for said in found.check(sheet):
            if said.severity not in ADDED:
                yield unknown("house", f"the rule said {said.severity}, which no rule of a house can", "mend the rule")
            else:
                yield said

    return Rule(replace(found.entry, family=FAMILY), check, str(found.held), late=True)


def broken(code: str, name: str, why: str) -> Rule:
    """In the place of a rule that cannot be used: it could not be evaluated, and unknown never passes."""

    def check(_: Sheet) -> Iterable[Said]:
        yield unknown("house", f"the rule of the house cannot be used: {why}", "mend it or uninstall it")

    return Rule(Entry(code, name, "", FAMILY, why), check, "", late=True)


def quieted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """While something stops the number, the words of a house's rules hold no numbers."""
    given = tuple(findings)
    if not any(one.severity in STOPS for one in given):
        return given
    return tuple(_quiet(one) if CODE.fullmatch(one.code) else one for one in given)


def _quiet(one: Finding) -> Finding:
    subject, what, where, fix = map(_without, (one.subject, one.what, one.where, one.fix))
    return replace(one, subject=subject, what=what, where=where, fix=fix, evidence=())


def _without(text: str) -> str:
    """Counts too: with a violated control nobody may learn how many passed. Ids and dates stay."""
    return COUNT.sub(GONE, without_numbers(text))
