"""Types of the columns of our CSV, for data frames: a task called `007` is no number, and an unknown count is no 0.

`polars_schema()` and `pandas_types()` need the library that they are named for, and nothing of it is imported before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

from denominator.exporters.table import PARTS, columns
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured

TEXT, WHOLE, FLAG = "text", "int64", "bool"


def csv_types() -> Mapping[str, str]:
    """Each column of the CSV with its type: text, int64 or bool. An empty cell is unknown; of lists stands their length."""
    hints: dict[str, Any] = {**get_type_hints(AttemptKey), **get_type_hints(AttemptRow)}
    for name, (kind, inner) in PARTS.items():
        hints |= {f"{name}_{part}": hint for part, hint in get_type_hints(kind).items() if part in inner}
    return {name: TEXT if name == "tags" else _type(hints.get(name, str)) for name in columns()}


def _type(hint: Any) -> str:
    if hint in (bool, bool | NotMeasured):
        return FLAG
    return TEXT if hint in (str, str | NotMeasured) else WHOLE


def polars_schema() -> dict[str, Any]:
    """For `polars.read_csv(FILE, schema=...)`."""
    import polars as pl

    kinds = {TEXT: pl.String, WHOLE: pl.Int64, FLAG: pl.Boolean}
    return {name: kinds[kind] for name, kind in csv_types().items()}


def pandas_types() -> dict[str, str]:
    """For `pandas.read_csv(FILE, dtype=..., keep_default_na=False, na_values=[""])`: types that can be unknown."""
    kinds = {TEXT: "string", WHOLE: "Int64", FLAG: "boolean"}
    return {name: kinds[kind] for name, kind in csv_types().items()}
