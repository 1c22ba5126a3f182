"""Which tasks are not independent: the one rule for everything that has clusters as its unit.

A task is of the family that the pack (or a manifest) seals for it; else of the family, repository or cluster that a foreign
row names in a column; else it stands for itself. A stratum is a part of a data set and no family.
"""

from __future__ import annotations

from denominator.records.rows import AttemptRow

FAMILY_COLUMNS = ("family", "repository", "repo", "cluster")


def family_named(row: AttemptRow | None) -> str:
    """The family in a row's own columns, with the column's name; "" where it names none."""
    if row is None or not row.extra:
        return ""
    for column in FAMILY_COLUMNS:
        if (name := row.extra.get(column, "").strip('"')) not in ("", "null"):
            return f"{column} {name}"
    return ""
