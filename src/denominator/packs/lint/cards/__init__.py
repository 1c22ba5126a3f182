"""`pack lint` of task cards and image listings that other harnesses use: the same rules, on what the cards say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.packs.lint.cards import keys
from denominator.packs.lint.cards.card import is_listing, material_of, not_read
from denominator.packs.lint.cards.reading import RawCard, card_files, read_cards
from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.rules import RULES
from denominator.packs.lint.run import blocking, lint_material
from denominator.records.findings import Finding
from denominator.records.packs import FoundPack, Pack, Provenance, Selection

__all__ = ["CardReport", "card_files", "lint_cards"]

OF_LISTINGS = ("PL005", "PL025", "PL026")
"""What a listing of an image can be asked: it names no prompt and no command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReport:
    """What was found in cards: findings; ids that are blocked, not known, clean; what was not looked at."""

    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    rejected: tuple[str, ...]
    unknown: tuple[str, ...]
    clean: tuple[str, ...]
    not_read: tuple[str, ...]
    not_evaluated: tuple[str, ...]


def lint_cards(paths: Iterable[Path]) -> CardReport:
    """Read card files and hold every card against the rules that need no folder. Raises InputError for what is no card."""
    files = tuple(paths)
    cards = [card for path in files for card in _cards_of(path)]
    tasks = [material_of(card, n) for n, card in enumerate(cards, 1) if not is_listing(card)]
    listings = [material_of(card, n) for n, card in enumerate(cards, 1) if is_listing(card)]
    rules = [rule for rule in RULES if rule.cards]
    of_images = [rule for rule in rules if rule.code in OF_LISTINGS]
    name = files[0].name if files else "cards"
    findings = (*lint_material(_material(name, tasks), rules), *lint_material(_material(name, listings), of_images))
    ids = tuple(dict.fromkeys(item.task.id for item in (*tasks, *listings)))
    rejected = _named(ids, blocking(findings))
    unknown = _named([one for one in ids if one not in rejected], [f for f in findings if f.severity == "unknown"])
    return CardReport(
        files=tuple(map(str, files)),
        findings=findings,
        rejected=rejected,
        unknown=unknown,
        clean=tuple(one for one in ids if one not in (*rejected, *unknown)),
        not_read=tuple(sorted({key for card in cards for key in not_read(card)})),
        not_evaluated=tuple(rule.name for rule in RULES if not rule.cards),
    )


def _cards_of(path: Path) -> tuple[RawCard, ...]:
    cards = read_cards(path)
    known = any(set(card.values) - set(keys.ID) - not_read(card) for card in cards)
    if not known and any(set(card.values) - set(keys.ID) for card in cards):
        names = ", ".join(sorted({key for card in cards for key in card.values})[:12])
        what = f"holds neither task cards nor a listing of an image: its keys are {names}"
        raise InputError(what, where=str(path), fix="denominator import rows reads rows of results")
    return cards


def _named(ids: Iterable[str], findings: Iterable[Finding]) -> tuple[str, ...]:
    """The ids that these findings are about."""
    subjects = {finding.subject for finding in findings}
    return tuple(one for one in ids if {one, f"task {one!r}"} & subjects)


def _material(name: str, items: Iterable[TaskMaterial]) -> Material:
    """The cards as a pack that nobody wrote down."""
    items = tuple(items)
    pack = Pack(
        id="cards",
        version="",
        title=name,
        license="",
        reason="",
        selection=Selection(rule=""),
        provenance=Provenance(authors=(), created=""),
        tasks=tuple(item.task for item in items),
    )
    return Material(FoundPack(root=name, pack=pack), items)
