"""Judgements on rows: closed families of rules, one file each, asked in this order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from denominator.labels.asking import Family, ask
from denominator.labels.axes import AXES
from denominator.labels.causes import DEFAULT_CAUSES, UNKNOWN_CAUSE, cause_rule
from denominator.labels.classes import CLASSES
from denominator.labels.controls import CONTROLS
from denominator.labels.endings import ENDINGS
from denominator.labels.essence import Signature, essence, signature, signature_fields
from denominator.labels.evidence import as_labels, as_tried
from denominator.labels.mixes import MIXES
from denominator.labels.shape import ENDING, Asked, Ending, No, Page, Rule, Said, Tried, View
from denominator.labels.tags import TAGS
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.records.words import Axis, Origin

__all__ = [
    "DEFAULT_CAUSES",
    "FAMILIES",
    "RULES",
    "UNKNOWN_CAUSE",
    "Asked",
    "Ending",
    "Family",
    "No",
    "Page",
    "Rule",
    "Said",
    "Tried",
    "asked_of",
    "cause_rule",
    "explain_row",
    "imported_of",
    "label_row",
    "label_rows",
    "labels_of",
    "signature",
    "signature_fields",
]

FAMILIES: tuple[Family, ...] = (
    Family(ENDING, ENDINGS),
    Family(Axis.FAILURE_CLASS, CLASSES),
    Family(Axis.TAG, TAGS, every=True),
    Family(Axis.CONTROL, CONTROLS, asks=lambda view: bool(view.row.control)),
    Family(Axis.MIX, MIXES, asks=lambda view: view.one(Axis.ORIGIN) == Origin.MODEL),
)
RULES: tuple[Page | Rule, ...] = (*AXES, *(rule for family in FAMILIES for rule in family.rules))
"""Everything that has a page in the catalog: the axes, then every rule in the order in which it is asked."""

MOST_KEPT = 65_536
Imported = Mapping[str, Label]


def label_row(
    row: AttemptRow, terms: Terms, imported: Imported | None = None, families: Sequence[Family] = FAMILIES
) -> tuple[Label, ...]:
    """The labels of one row, started or not. `imported` are judgements of its source, as `imported_of` gives them."""
    return as_labels(row, _asked(row, terms, imported or {}, families), imported or {})


def explain_row(
    row: AttemptRow, terms: Terms, imported: Imported | None = None, families: Sequence[Family] = FAMILIES
) -> tuple[Tried, ...]:
    """Every rule that was asked about a row, in order: what it said, or why it does not hold, with the facts it read."""
    given = imported or {}
    return tuple(as_tried(row, one, given) for one in _asked(row, terms, given, families))


def label_rows(rows: Iterable[AttemptRow], terms: Terms, imported: Iterable[Label] = ()) -> tuple[Label, ...]:
    """Labels of every started row. Imported judgements are used only where facts are missing."""
    by_key = imported_of(imported)
    pairs = ((row, by_key.get(row.key, {})) for row in rows if row.started)
    return tuple(label for found in labels_of(pairs, terms) for label in found)


def labels_of(rows: Iterable[tuple[AttemptRow, Imported]], terms: Terms) -> Iterator[tuple[Label, ...]]:
    """The labels of each row of a stream, in bounded memory: rows with one signature are judged once."""
    for row, imported, asked in asked_of(rows, terms):
        yield as_labels(row, asked, imported)


def asked_of(
    rows: Iterable[tuple[AttemptRow, Imported]], terms: Terms
) -> Iterator[tuple[AttemptRow, Imported, tuple[Asked, ...]]]:
    """Each row of a stream with the rules that held, before they become labels: enough for counting."""
    kept: dict[Signature, tuple[Asked, ...]] = {}
    for row, imported in rows:
        of = signature(row, terms, imported)
        asked = kept.get(of)
        if asked is None:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            asked = kept[of] = tuple(one for one in _asked(row, terms, imported, FAMILIES) if one.said)
        yield row, imported, asked


def imported_of(labels: Iterable[Label]) -> dict[AttemptKey, dict[str, Label]]:
    """Judgements of a source by row and axis, the first of each axis; a second one of an axis stands beside it."""
    by_key: dict[AttemptKey, dict[str, Label]] = {}
    for label in labels:
        if not label.by.startswith("person:"):
            found = by_key.setdefault(label.key, {})
            found.setdefault(label.axis if label.axis not in found else f"{label.axis}:{label.value}", label)
    return by_key


def _asked(row: AttemptRow, terms: Terms, imported: Imported, families: Sequence[Family]) -> tuple[Asked, ...]:
    return ask(View(essence(row, terms), terms, imported), families)
