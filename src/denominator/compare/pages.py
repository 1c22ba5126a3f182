"""The table of docs/formats/conditions.md, made from the fields themselves."""

from __future__ import annotations

from denominator.compare.fields import BLOCKS_FOR, FIELDS, FOLLOWS, WANTED, Field
from denominator.records.field_names import ALSO


def field_table() -> str:
    """One row a field: what a difference means, what it blocks, what silence on both sides does, other names, why."""
    head = (
        "| field | kind | a difference blocks | silence on both sides | also called | why |\n|---|---|---|---|---|---|"
    )
    return "\n".join([head, *map(_row, FIELDS)])


def _row(one: Field) -> str:
    numbers = BLOCKS_FOR[one.blocks]
    what = "every number" if len(numbers) == 4 else ", ".join(numbers) or "nothing"
    silence = "blocks" if one.core else "is said" if one.name in WANTED else "-"
    also = ", ".join(f"`{name}`" for name in ALSO.get(one.name, ())) or "-"
    return f"| `{one.name}` | {one.kind} | {what} | {silence} | {also} | {one.why} |"


def follow_lines() -> str:
    """Which fields come with a treatment field that really moves."""
    return "\n".join(f"- `{name}`: {', '.join(f'`{one}`' for one in also)}" for name, also in FOLLOWS.items())
