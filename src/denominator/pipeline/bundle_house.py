"""The rules of a house in a bundle. They are Python of somebody, so a verifier runs none of them unless it is told to.

What they found is taken from the card as stated, and everything else is made again around it: such rules only add findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from denominator.bundles.layout import CARD
from denominator.catalog import Entry
from denominator.errors import DenominatorError
from denominator.gate.house import CODE, FAMILY
from denominator.gate.shape import Rule, Said
from denominator.pipeline.house import house_lines, house_rules
from denominator.pipeline.rules import rules_digest
from denominator.records.bundles import BundleHead
from denominator.records.findings import Finding
from denominator.records.import_bundles import ImportHead
from denominator.records.judgements import Sheet
from denominator.records.words import Severity
from denominator.wire.codec import from_json, loads

HINT = "--trust-rules runs those that are installed here"


@dataclass(frozen=True, slots=True)
class House:
    """Rules, and the lines that name them on card and head (`H001 no-fridays@1 4f2a...`)."""

    lines: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()


NO_HOUSE = House()


def installed() -> House:
    """The rules that are installed here."""
    return House(house_lines(), house_rules())


def as_stated(card: Any) -> House:
    """The rules that a card names, saying what it says they said. DenominatorError: a line or a finding is none."""
    named = card.get("house") if isinstance(card, dict) else None
    lines = [one for one in named if isinstance(one, str)] if isinstance(named, list) else []
    return House(tuple(lines), tuple(_stated(line, [*_findings(card)]) for line in lines))


def card_of(documents: Mapping[str, bytes]) -> Any:
    """The card as it lies there; one that is gone or cannot be read is named where it is compared."""
    try:
        return loads(documents.get(CARD, b"null"), CARD)
    except DenominatorError:
        return None


def not_run(lines: Sequence[str], trusted: bool) -> Iterator[str]:
    """What is to be said of rules of a house that nobody asked to run."""
    if lines and not trusted:
        yield f"what rules of a house found ({', '.join(lines)}): they were not run; {HINT}"


def other_rules(head: BundleHead | ImportHead, house: House) -> str:
    """Rules that are not here cannot judge again, and other rules would say other things; "" where all are here."""
    here = rules_digest()
    if (head.rules_digest, head.house) == (here, house.lines):
        return ""
    lines = sorted({*head.house, *house.lines})
    told = f" and the rules of a house ({', '.join(lines)})" if head.house != house.lines else ""
    return (
        f"made under rules {head.rules_digest[:12]}{told}; this program has {here[:12]}: nothing was judged again, "
        f"use denominator {head.version[:20]}"
    )


def _findings(card: Any) -> Iterable[Finding]:
    verdict = card.get("verdict") if isinstance(card, dict) else None
    found = verdict.get("findings") if isinstance(verdict, dict) else None
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict) and isinstance(one.get("code"), str) and CODE.fullmatch(one["code"]):
            yield from_json(Finding, one, "card.json")


def _stated(line: str, findings: Sequence[Finding]) -> Rule:
    code, _, rest = line.partition(" ")
    name, _, version = rest.partition(" ")[0].partition("@")
    if not CODE.fullmatch(code) or not name:
        raise DenominatorError(f"{line[:60]!r} names no rule of a house", where="card.json")
    mine = [one for one in findings if one.code == code]
    said = tuple(_said(one) for one in mine if one.severity != Severity.HELD)
    held = next((one.what for one in mine if one.severity == Severity.HELD), "")

    def check(_: Sheet) -> Iterable[Said]:
        return said

    return Rule(Entry(code, name, version, FAMILY, ""), check, held, late=True)


def _said(one: Finding) -> Said:
    """A waived block stands on the card as a note with its waiver: it is a block again here, and waived again."""
    severity = Severity.BLOCK if one.waiver is not None else Severity(one.severity)
    return Said(severity, one.subject, one.what, one.where, one.fix, one.evidence)
