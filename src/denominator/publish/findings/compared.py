"""A comparison as findings: what makes two arms incomparable, what is noted, which conditions agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from denominator.records.comparisons import Comparison
from denominator.records.findings import Finding

INCOMPARABLE, NOTED, SAME, REQUIRED = "compare/not-comparable", "compare/note", "compare/fields", "compare/required"


def findings_of(made: Iterable[Comparison], unmet: str = "") -> tuple[Finding, ...]:
    """Findings of every pair in order; `unmet` says which rung was required and is not reached."""
    found = [one for comparison in made for one in _pair(comparison)]
    if unmet:
        found.append(_finding(REQUIRED, "block", "the comparison", unmet))
    return tuple(found)


def _pair(made: Comparison) -> Iterator[Finding]:
    """Of two arms; what their own gates say of each comes last."""
    pair, held = f"{made.a.name} and {made.b.name}", made.comparability
    for reason in held.reasons:
        yield _finding(INCOMPARABLE, "block", pair, reason)
    for text in dict.fromkeys((*held.notes, *made.notes)):
        yield _finding(NOTED, "note", pair, text)
    same = [one.name for one in held.fields if one.verdict in ("same", "treatment")]
    if same:
        yield _finding(SAME, "held", pair, f"conditions that agree or are the treatment: {len(same)}")
    yield from made.verdict.findings


def _finding(code: str, severity: str, pair: str, what: str) -> Finding:
    return Finding(code=code, allow_name=code.partition("/")[2], severity=severity, subject=pair, what=what)
