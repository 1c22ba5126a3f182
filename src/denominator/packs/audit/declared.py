"""What only people can say of a pack: required as a text, counted as declared, never as checked."""

from __future__ import annotations

from collections.abc import Iterator

from denominator.records.pack_audits import AuditItem, ItemState
from denominator.records.packs import FoundPack
from denominator.records.values import is_placeholder


def declared_items(found: FoundPack) -> tuple[AuditItem, ...]:
    """One item a declaration; a placeholder is none."""
    return tuple(_item(name, checklist, key, texts) for name, checklist, key, texts in _declarations(found))


def _declarations(found: FoundPack) -> Iterator[tuple[str, tuple[str, ...], str, tuple[str, ...]]]:
    pack, audit = found.pack, found.pack.audit
    models = ", ".join(pack.provenance.models) or pack.provenance.models_note
    yield "licence", ("R.1", "R.2"), "license", (pack.license, *(task.license for task in pack.tasks))
    yield "reason for these tasks", ("D1",), "reason", (pack.reason, *(task.reason for task in pack.tasks))
    yield "selection rule", ("R.4",), "selection.rule", (pack.selection.rule,)
    yield "authors", ("M3",), "provenance.authors", (", ".join(pack.provenance.authors),)
    yield "models that helped", ("R.3",), "provenance.models_note", (models,)
    yield "contamination statement", ("R.3",), "audit.contamination", (audit.contamination,)
    yield "update plan", ("R.4", "I8"), "audit.update_plan", (audit.update_plan,)
    yield "what may be claimed", ("R.5", "R.6"), "audit.claim", (audit.claim,)
    yield "what may not be claimed", ("R.5", "R.11"), "audit.no_claim", (audit.no_claim,)
    yield "score without a model", ("R.12",), "audit.baseline", (audit.baseline,)
    yield "whom to tell of a flaw", ("M2", "M3"), "audit.contact", (audit.contact,)
    yield "last look at the pack", ("M1",), "audit.reviewed", (audit.reviewed or pack.provenance.created,)


def _item(name: str, checklist: tuple[str, ...], key: str, texts: tuple[str, ...]) -> AuditItem:
    there = all(text and not is_placeholder(text) for text in texts)
    told = texts[0] if len(texts) == 1 else f"{texts[0]} (pack), and one for each of {len(texts) - 1} tasks"
    return AuditItem(
        name=name,
        checklist=checklist,
        state=ItemState.DECLARED if there else ItemState.MISSING,
        done=f"read {key}",
        result=_short(told) if there else f"state {key} in {_file(key)}",
    )


def _file(key: str) -> str:
    return "pack.toml or provenance.toml" if key.startswith("provenance.") else "pack.toml"


def _short(text: str, most: int = 160) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 3] + "..."
