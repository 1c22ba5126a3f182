"""What every format of findings is written from: the findings, what they are about, and the pages of their rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from denominator.catalog import Entry
from denominator.records.cases import Case as Case
from denominator.records.findings import Finding

ORDER = ("block", "unknown", "note", "held")
PLACE = re.compile(r"(?P<file>[^\n]*[^\s:][^\n:]*):(?P<line>[1-9][0-9]{0,8})")
NO_FILE = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the findings are about. `seal` and `pack` are digests; `said` is the sentence or the closing line of the verb.

    `entries` are catalog entries: their pages become the help of the rules. `version` is of denominator. With
    `unknown_stops` false (a lint before the lock) what could not be evaluated is to be read and stops nothing.
    """

    verb: str
    subject: str
    status: str = ""
    said: str = ""
    version: str = ""
    seal: str = ""
    pack: str = ""
    rules: str = ""
    exit: int = 0
    entries: tuple[Entry, ...] = ()
    unknown_stops: bool = True

    def stops(self, finding: Finding) -> bool:
        """Does it stop what was asked for?"""
        return finding.severity == "block" or (finding.severity not in ("note", "held") and self.unknown_stops)

    def named(self) -> tuple[tuple[str, str], ...]:
        """The digests that say of what exactly this speaks, each by name."""
        pairs = (("seal_digest", self.seal), ("pack_digest", self.pack), ("rules_digest", self.rules))
        return tuple((name, value) for name, value in pairs if value)


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What stops the number first, then notes, then what holds; among equals as they came."""
    return tuple(sorted(findings, key=_rank))


def _rank(finding: Finding) -> int:
    return ORDER.index(finding.severity) if finding.severity in ORDER else 1


def found(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What does not simply hold, in order."""
    return tuple(one for one in ordered(findings) if one.severity != "held")


def place_of(where: str) -> tuple[str, int] | None:
    """`file:12` as file and line; anything else is no place in a file."""
    match = PLACE.fullmatch(where)
    if match is None or NO_FILE.match(where):
        return None
    return match["file"], int(match["line"])


def whole(finding: Finding) -> str:
    """What, with its subject where the text does not name it, its waiver, and the next thing to do."""
    told = finding.subject in finding.what or finding.subject in finding.allow_name
    text = finding.what if told else f"{finding.subject}: {finding.what}"
    if finding.waiver is not None:
        one = finding.waiver
        text += f" (waived: {one.why}; {one.who}, until {one.until})"
    return f"{text} Next: {finding.fix}" if finding.fix and finding.severity != "held" else text


def head(finding: Finding) -> str:
    """`GL016 changed-seal`; a code that ends in its name is said once."""
    named = finding.code.endswith(finding.allow_name)
    return finding.code if named else f"{finding.code} {finding.allow_name}"


def shown(text: str) -> str:
    """Text in which control characters, lone surrogates and what turns a line are shown by number."""
    return "".join(char if char in "\n\t" or char.isprintable() else f"\\u{ord(char):04x}" for char in text)
