"""What METHODS M11 and M13 ask of a bundle, item by item, and where it stands."""

from __future__ import annotations

from collections.abc import Collection

from denominator.bundles.layout import (
    CALLS,
    CARD,
    CLASSES,
    COMMANDS,
    CONTRACT,
    EVENTS,
    LABELS,
    LEDGER,
    NARRATION,
    PROVENANCE,
    RATE,
    README,
    ROW_LABELS,
    SEAL,
    SUMS,
)
from denominator.records.bundles import Item

HERE, NOT_RUN, NONE, HELD_BACK = "here", "not run", "none", "held back: a control is violated"
ASKED = (
    ("seal, the contract of the run", SEAL, ""),
    ("scoring contract", CONTRACT, "none: the seal is the contract"),
    ("events", EVENTS, ""),
    ("ledger", LEDGER, ""),
    ("journal export with its chain", EVENTS, ""),
    ("call rows", CALLS, ""),
    ("labels of rows", ROW_LABELS, HELD_BACK),
    ("labels of people", LABELS, NONE),
    ("card", CARD, ""),
    ("rate", RATE, ""),
    ("narration probe", NARRATION, NOT_RUN),
    ("commands, verbatim", COMMANDS, ""),
    ("slices, access, terms, controls, limits, contamination", README, ""),
    ("failure classes: header", CLASSES + "header.json", HELD_BACK),
    ("failure classes: one log a seed", CLASSES, HELD_BACK),
    ("failure classes: what the classifier says", CLASSES + "classes.json", HELD_BACK),
    ("who wrote the tasks, what was removed", PROVENANCE, ""),
    ("sums", SUMS, ""),
)
"""Each item, its file, and why it may be absent ("": it never is)."""


def items_of(names: Collection[str]) -> tuple[Item, ...]:
    """Every item with its file and its state; logs of seeds by how many there are."""
    logs = sum(name.startswith(CLASSES) and name.endswith(".jsonl") for name in names)
    found = []
    for asked, file, absent in ASKED:
        there = logs > 0 if file == CLASSES else file in names or file == SUMS
        state = HERE if there else absent or "missing"
        found.append(Item(asked=asked, file=f"{file}*.jsonl" if file == CLASSES else file, state=state))
    return tuple(found)
