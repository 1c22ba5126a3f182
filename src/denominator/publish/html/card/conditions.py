"""Under which conditions a run was made: budgets, box, and every digest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.html.parts import Cell, code, paragraph, table
from denominator.records.reports import Report
from denominator.records.values import NotMeasured


def conditions(report: Report) -> Iterable[str]:
    """Envelope and fingerprint, as on the card."""
    card = report.card
    if card.pack_reason:
        yield paragraph(f"Why these tasks: {card.pack_reason}")
    if card.budgets:
        yield table("Budgets of an attempt and of the run", ("budget", "value"), sorted(card.budgets.items()))
    if card.environment:
        rows = ((name, value) for name, value in sorted(card.environment.items()))
        yield table("Environment", ("field", "value"), rows)


def versions(report: Report) -> Iterable[str]:
    """What judged this, and what it was judged under."""
    card = report.card
    rows: list[Sequence[Cell]] = [
        ("denominator", card.version),
        ("schema of the card", str(card.schema_version)),
        ("scorer", card.scorer),
        (card.origin, _digest(card.seal_digest)),
        ("pack", _digest(card.pack_digest)),
        ("rules", _digest(card.rules_digest)),
        ("rules of the house", ", ".join(card.house) or "none"),
        ("labels of people", _digest(card.people.labels_digest)),
    ]
    yield table("What judged this, and under what", ("what", "which"), rows)


def _digest(digest: str) -> Cell:
    return code(digest) if digest else NotMeasured("there is none")
