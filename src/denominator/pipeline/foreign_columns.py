"""Columns of foreign rows that rules read."""

from __future__ import annotations

from denominator.gate.changed_terms import KEYS as TERMS_KEYS
from denominator.records.families import FAMILY_COLUMNS
from denominator.records.source_said import COLUMN

READ_BY_RULES = frozenset(
    (
        *FAMILY_COLUMNS,
        *TERMS_KEYS,
        "arm",
        "usage_source",
        "usage_estimator",
        "patch_sha256",
        "excluded_after_lock",
        COLUMN,
    )
)
"""Columns that stay in the rows; the others lie beside them, line by line, so that rows stay of few kinds."""
