"""What a row must be labelled as, and the table of what was expected against what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

ORIGINS = ("MODEL", "HARNESS", "INFRA", "FLAKY_TEST")
CLASSES = ("pass", "compile_fail", "test_fail", "timeout", "no_patch", "over_edit", "unresolved", "censored")
BUCKETS = (
    "PASS_CONTRACT", "PASS_WEAK", "ASSUME_API", "TOOL_LOOP", "MISSING_ASK", "SCOPE_SLIP", "TIMEOUT", "SCORER_RED",
)  # fmt: skip
AXES: Mapping[str, tuple[str, ...]] = {"origin": ORIGINS, "failure_class": CLASSES, "mix": BUCKETS}
NONE = "(none)"


@dataclass(frozen=True)
class Said:
    """The labels of one row, and tags that must be there. An empty text: the axis has no label."""

    outcome: str
    origin: str
    reason: str
    failure_class: str
    mix: str = ""
    tags: frozenset[str] = frozenset()


def model(outcome: str, failure_class: str, mix: str = "", *tags: str) -> Said:
    """The model's ending."""
    return Said(outcome, "MODEL", "", failure_class, mix, frozenset(tags))


def censored(origin: str, reason: str) -> Said:
    """Somebody else's ending, with its reason."""
    return Said("unscoreable", origin, reason, "censored")


def said_of(row: Mapping[str, Any], tags: Iterable[str]) -> Said:
    """What `labels --json` says of a row; of its tags those that are asked for."""
    axes = ("outcome", "origin", "reason", "failure_class", "mix")
    return Said(**{axis: row[axis] for axis in axes}, tags=frozenset(row["tags"]) & frozenset(tags))


def confusion(axis: str, pairs: Iterable[tuple[Said, Said]]) -> str:
    """Expected labels of one axis down, given ones across; rows that have none are in the last line and column."""
    words = (*AXES[axis], NONE)
    counts = Counter((getattr(want, axis) or NONE, getattr(got, axis) or NONE) for want, got in pairs)
    width = max(map(len, words))
    head = f"{'expected ' + axis:{width + 9}}  " + "  ".join(words)
    lines = [
        f"{want:{width + 9}}  " + "  ".join(f"{counts[want, got] or '.':>{len(got)}}" for got in words)
        for want in words
    ]
    odd = sum(number for (want, got), number in counts.items() if want != got)
    foot = f"{sum(counts.values())} rows, {odd} beside the diagonal"
    return "\n".join([head, *lines, foot])
