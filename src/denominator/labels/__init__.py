"""Judgements on rows: a closed family of rules, one file each, applied in this order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.labels import control, failure_class, mix, origin, outcome, reason, tag
from denominator.labels.causes import DEFAULT_CAUSES, UNKNOWN_CAUSE, cause_rule
from denominator.labels.shape import Rule, View, as_label
from denominator.records.judgements import UNKNOWN
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms

__all__ = ["DEFAULT_CAUSES", "RULES", "UNKNOWN_CAUSE", "Rule", "cause_rule", "label_row", "label_rows"]

RULES: tuple[Rule, ...] = (
    outcome.RULE,
    origin.RULE,
    reason.RULE,
    failure_class.RULE,
    tag.RULE,
    control.RULE,
    mix.RULE,
)


def label_rows(rows: Iterable[AttemptRow], terms: Terms, imported: Iterable[Label] = ()) -> tuple[Label, ...]:
    """Labels of every started row. Imported judgements are used only where facts are missing."""
    by_key: dict[object, dict[str, Label]] = {}
    for label in imported:
        by_key.setdefault(label.key, {}).setdefault(label.axis, label)
    return tuple(label for row in rows if row.started for label in label_row(row, terms, by_key.get(row.key, {})))


def label_row(
    row: AttemptRow, terms: Terms, imported: dict[str, Label] | None = None, rules: Sequence[Rule] = RULES
) -> tuple[Label, ...]:
    """Every rule in order; a later one sees what earlier ones said. A crashed rule says `unknown`."""
    said: dict[str, tuple[str, ...]] = {}
    labels: list[Label] = []
    for rule in rules:
        found = _apply(rule, View(row, terms, imported or {}, dict(said)))
        said[rule.axis] = tuple(label.value for label in found)
        labels.extend(found)
    return tuple(labels)


def _apply(rule: Rule, view: View) -> tuple[Label, ...]:
    try:
        return tuple(as_label(rule, view.row, one) for one in rule.judge(view))
    except Exception as error:
        why = f"the rule {rule.by} failed: {type(error).__name__}: {error}"
        return (Label(key=view.row.key, axis=rule.axis, value=UNKNOWN, by=rule.by, confidence="low", why=why),)
