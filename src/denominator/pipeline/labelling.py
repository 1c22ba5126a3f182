"""The labels of a judged run or import, row by row, and the rules that were asked about one task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from denominator.errors import InputError
from denominator.labels import Tried, explain_row, imported_of
from denominator.pipeline.results import Result
from denominator.publish.labelled import labelled_rows
from denominator.records.labelled import LabelledRow, TriedRule, WhyRow


def rows_of(result: Result) -> tuple[LabelledRow, ...]:
    """Every row of the ledger with its labels, in the ledger's order."""
    return labelled_rows(result.ledger.rows, result.judged.labels)


def why(result: Result, task_id: str) -> tuple[WhyRow, ...]:
    """Every rule that was asked about each attempt of a task. Raises InputError for a task that has no row."""
    pairs = [pair for pair in zip(result.ledger.rows, rows_of(result), strict=True) if pair[0].key.task_id == task_id]
    if not pairs:
        known = sorted({row.key.task_id for row in result.ledger.rows})
        raise InputError(f"no row of task {task_id!r:.80}", where="--why", fix=_known(task_id, known))
    imported = imported_of(result.ledger.labels)
    return tuple(
        WhyRow(row=shown, tried=tuple(as_rules(explain_row(row, result.terms, imported.get(row.key, {})))))
        for row, shown in pairs
    )


def _known(task_id: str, known: Sequence[str]) -> str:
    """The most similar tasks, or some of all; long lists and long names are cut, and it shows."""
    close = get_close_matches(task_id, known, 3)
    shown = [name if len(name) <= 60 else f"{name[:60]}..." for name in close or known[:8]]
    more = "" if close or len(known) <= len(shown) else f" and {len(known) - len(shown)} more: denominator labels"
    return f"one of: {', '.join(shown)}{more}" if shown else ""


def as_rules(tried: Iterable[Tried]) -> Iterable[TriedRule]:
    """The chain of rules as plain records."""
    for one in tried:
        yield TriedRule(
            code=one.rule.entry.code,
            rule=one.rule.by,
            axis=one.axis,
            won=bool(one.said),
            said=tuple(f"{say.axis} = {say.value}" for say in one.said),
            why="; ".join(dict.fromkeys(say.why for say in one.said)) or one.why_not,
            would_change="; ".join(dict.fromkeys(say.would_change for say in one.said if say.would_change)),
            evidence=one.evidence,
        )
