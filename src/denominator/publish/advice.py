"""What to do about the bucket that most failures fall into, and the wrong move that it replaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

ADVICE = {
    "PASS_WEAK": ("hide the tests", "celebrating"),
    "ASSUME_API": ("put the specification into the prompt and fail closed", "more samples of the same task"),
    "TOOL_LOOP": ("drop repeated tool calls and stop at the third without a new result", "a higher retry cap"),
    "MISSING_ASK": (
        "add an ask or abort tool and score its use as success where the file is absent",
        "tuning for confidence",
    ),
    "TIMEOUT": ("lower the task or raise one budget, and record it", "changing the model first"),
    "SCOPE_SLIP": ("enforce the allow-list in the runner", "blaming the model"),
}


def advice_for(buckets: Iterable[str]) -> tuple[str, ...]:
    """Advice for the most frequent bucket; a tie or a bucket without advice gives none."""
    counts = Counter(bucket for bucket in buckets if bucket).most_common(2)
    if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]) or counts[0][0] not in ADVICE:
        return ()
    do, instead_of = ADVICE[counts[0][0]]
    return (f"most misses are {counts[0][0]} ({counts[0][1]}): {do}, instead of {instead_of}",)
