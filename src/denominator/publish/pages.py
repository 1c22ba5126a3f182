"""The generated pages of docs/catalog, from the docstrings of the rules."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry


def pages(entries: Iterable[Entry]) -> dict[str, str]:
    """One page per family and one index, by file name."""
    by_family: dict[str, list[Entry]] = {}
    for entry in entries:
        by_family.setdefault(entry.family.replace(" ", "-"), []).append(entry)
    made = {f"{family}.md": _page(family, found) for family, found in sorted(by_family.items())}
    lines = [f"- [{family}]({family}.md): {len(found)} entries" for family, found in sorted(by_family.items())]
    head = "# Catalog\n\nGenerated from the docstrings of the rules; `denominator explain CODE` prints one entry.\n\n"
    return {"README.md": head + "\n".join(lines) + "\n", **made}


def _page(family: str, entries: list[Entry]) -> str:
    parts = [f"# {family}\n\nGenerated; do not edit."]
    for entry in sorted(entries, key=lambda one: one.code):
        meta = f"Since {entry.since}, version {entry.version}."
        parts.append(f"## {entry.code} {entry.name}\n\n{entry.doc.strip()}\n\n{meta}")
    return "\n\n".join(parts) + "\n"
