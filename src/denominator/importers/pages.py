"""The tables of docs/formats/rows.md, made from the lists that the reader itself uses."""

from __future__ import annotations

from denominator.importers.columns import COLUMNS
from denominator.importers.shapes import SHAPES


def shape_table() -> str:
    """Every row shape: how it is recognised, which companions it needs, an example line."""
    lines = ["| shape | method | recognised by | needs | wants | what it is |", "|---|---|---|---|---|---|"]
    for shape in SHAPES:
        signs = ", ".join(f"`{sign}`" for sign in sorted(shape.signs))
        needs, wants = "; ".join(shape.needs) or "-", "; ".join(shape.wants) or "-"
        lines.append(f"| {shape.name} | {shape.method} | {signs} | {needs} | {wants} | {shape.what} |")
    lines += ["", *(f"- {shape.name}: `{shape.example}`" for shape in SHAPES)]
    return "\n".join(lines)


def column_table() -> str:
    """Every known column with its other names."""
    lines = ["| column | other names | what it says |", "|---|---|---|"]
    for column in COLUMNS:
        also = ", ".join(f"`{name}`" for name in column.also) or "-"
        lines.append(f"| `{column.name}` | {also} | {column.says} |")
    return "\n".join(lines)
