"""Under which conditions a run was made: budgets, box, endpoint, what it survived, and every digest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.html.parts import Cell, bullets, code, paragraph, table
from denominator.records.reports import Report
from denominator.records.values import NotMeasured, counted


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


def durability(report: Report) -> Iterable[str]:
    """Facts of the rows of all slices; a fault bench says more."""
    facts = report.facts
    yield bullets(
        (
            f"{counted(facts.attempts, 'attempt')} promised, {facts.started} started, {facts.closed} closed",
            f"begun by one process and ended by a later one: {facts.carried_on}",
            f"second and later attempts: {facts.further}",
            f"kept from starting or cut by the cap of the run: {facts.run_cap_cut}",
        )
    )
    if facts.defects:
        yield table("What is wrong with the rows", ("kind", "how many"), ((k, str(n)) for k, n in facts.defects), (1,))


def probe(report: Report) -> Iterable[str]:
    """The probe that the run was sealed with, and what it learned."""
    if (found := report.probe) is None:
        return
    facts = found.facts
    yield bullets(found.sentences)
    rows: list[Sequence[Cell]] = [
        ("probe", found.name),
        ("seal", code(found.seal_sha256)),
        ("fixture", code(found.fixture_sha256)),
        ("model", found.model),
        ("path", found.path),
        ("client and classifier", f"{found.client}, {found.classifier}"),
        ("windows begun (UTC)", ", ".join(found.windows) or "none"),
        ("planned attempts missing", str(found.missing)),
        ("models, as echoed", ", ".join(facts.models) or NotMeasured("no answer named one")),
        ("finish reasons", ", ".join(facts.finish_reasons) or NotMeasured("none was given")),
        ("usage conventions", ", ".join(facts.usage_conventions) or NotMeasured("no usage was read")),
    ]
    yield table("Probed before the run", ("what", "value"), rows)
