"""From the files of an import's bundle to its card again, and every file that follows from the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from denominator.bundles.imports import HEAD, LEDGER, TERMS, readme_text
from denominator.bundles.layout import CARD, README, STATEMENT
from denominator.bundles.merkle import merkle_root
from denominator.judge import judge
from denominator.pipeline.bundle_house import House
from denominator.pipeline.bundle_judging import Again
from denominator.pipeline.bundle_statement import bundle_statement
from denominator.pipeline.rules import rules_digest
from denominator.publish.card import make_card
from denominator.records.import_bundles import ImportHead, ImportSources
from denominator.records.labels import Label
from denominator.records.rows import Ledger
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical, sha256_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Everything that the card of an import is made of. `labels` are those of people beside it."""

    ledger: Ledger
    terms: Terms
    labels: tuple[Label, ...]
    notes: tuple[str, ...]
    version: str
    sources: ImportSources | NotMeasured
    reread: bool


def judge_import(one: Imported, house: House) -> Again:
    """Label, measure, gate, as `judge_ledger` did."""
    ledger = replace(one.ledger, labels=(*one.ledger.labels, *one.labels)) if one.labels else one.ledger
    judged = judge(ledger, one.terms, house.rules)
    card = make_card(
        ledger,
        one.terms,
        judged,
        rules_digest=rules_digest(),
        house=house.lines,
        version=one.version,
        notes=one.notes,
    )
    return Again(ledger=one.ledger, judged=judged, card=card, house=house.lines)


def import_files(one: Imported, again: Again, more: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every document by name; `more` are those that people wrote: their labels, a slip."""
    head = head_of_import(one, again)
    found = {
        HEAD: canonical(head) + b"\n",
        LEDGER: canonical(one.ledger) + b"\n",
        TERMS: canonical(one.terms) + b"\n",
        CARD: canonical(again.card) + b"\n",
        README: readme_text(head, one.terms, again.card),
        **more,
    }
    return found | {STATEMENT: bundle_statement(again.card, found)}


def head_of_import(one: Imported, again: Again) -> ImportHead:
    """`import.json` as these parts give it."""
    return ImportHead(
        run_id=one.ledger.run_id,
        version=one.version,
        rules_digest=rules_digest(),
        house=again.house,
        shape=one.ledger.shape,
        ledger_sha256=sha256_bytes(canonical(one.ledger) + b"\n"),
        terms_sha256=sha256_bytes(canonical(one.terms) + b"\n"),
        rows=len(one.ledger.rows),
        rows_root=merkle_root([canonical(row) for row in one.ledger.rows]),
        sources=one.sources,
        reread=one.reread,
        notes=one.notes,
    )
