"""What to change in the harness about the dominant bucket, and the wrong move that it replaces (METHODS M1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.records.words import Mix

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


def advice_for(buckets: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Advice for the most frequent bucket that is no contract pass; a tie or a bucket without advice gives none.

    `buckets` come with how many draws are in each; one may come several times.
    """
    counts: Counter[str] = Counter()
    for bucket, n in buckets:
        if bucket and bucket != Mix.PASS_CONTRACT:
            counts[bucket] += n
    (bucket, most), second = (*counts.most_common(2), ("", 0), ("", 0))[:2]
    if most == second[1] or bucket not in ADVICE:
        return ()
    do, instead_of = ADVICE[bucket]
    return (
        f"{bucket} is the dominant bucket ({most} of {counts.total()} without a contract pass): {do}, instead of {instead_of}",
    )
