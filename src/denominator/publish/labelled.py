"""A judged ledger as labelled rows, and the chain of rules behind one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from denominator.records.judgements import UNKNOWN
from denominator.records.keys import AttemptKey
from denominator.records.labelled import LabelledRow
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow
from denominator.records.words import Axis

CONFIDENCE = ("low", "medium", "high")
OF_SOURCE = frozenset(("word-of-the-source", "stop-reason", "source-names-an-assumed-surface", "of-source"))
"""Rules that repeat what a source says."""
DECIDING = (Axis.OUTCOME, Axis.ORIGIN, Axis.REASON, Axis.MIX)


def labelled_rows(rows: Iterable[AttemptRow], labels: Iterable[Label]) -> tuple[LabelledRow, ...]:
    """Every row with the labels that stand; what a source or a single person said is kept beside them."""
    by_key: dict[AttemptKey, list[Label]] = {}
    for label in labels:
        by_key.setdefault(label.key, []).append(label)
    return tuple(labelled(row, by_key.get(row.key, ())) for row in rows)


def labelled(row: AttemptRow, labels: Sequence[Label]) -> LabelledRow:
    """One row. Labels of rules (and of people who agreed) decide; the others are only listed."""
    stands = [label for label in labels if not label.by.startswith(("person:", "import:"))]
    one: dict[str, Label] = {}
    for label in stands:
        one.setdefault(label.axis, label)
    end = one.get(Axis.OUTCOME)
    return LabelledRow(
        task_id=row.key.task_id,
        repeat=row.key.repeat,
        attempt=row.key.attempt,
        run_id=row.key.run_id,
        where=row.source.place,
        slice=row.slice,
        control=row.control,
        outcome=_value(one, Axis.OUTCOME),
        origin=_value(one, Axis.ORIGIN),
        reason=_value(one, Axis.REASON),
        failure_class=_value(one, Axis.FAILURE_CLASS),
        mix=_value(one, Axis.MIX),
        tags=tuple(label.value for label in stands if label.axis == Axis.TAG),
        control_state=_value(one, Axis.CONTROL),
        by=end.by if end else "",
        confidence=_lowest(one),
        why=end.why if end else "",
        read_it=_read_it(row, one),
        people=any(label.by.startswith("people@") for label in stands),
        labels=tuple(labels),
        hints=row.hints,
        words=row.words,
    )


def _value(one: Mapping[str, Label], axis: str) -> str:
    return one[axis].value if axis in one else ""


def _lowest(one: Mapping[str, Label]) -> str:
    found = [one[axis].confidence for axis in DECIDING if axis in one]
    return min(found, key=CONFIDENCE.index, default="") if set(found) <= set(CONFIDENCE) else "low"


def _read_it(row: AttemptRow, one: Mapping[str, Label]) -> str:
    """Why a person must look: nobody knows, a rule broke, or only a text decided."""
    if not row.started:
        return ""
    broken = [axis for axis, label in one.items() if label.value == UNKNOWN]
    if broken:
        return f"unknown: {', '.join(sorted(broken))}"
    if _value(one, Axis.FAILURE_CLASS) == "unresolved":
        return "unresolved: no reason is known"
    low = [axis for axis in DECIDING if axis in one and _guessed(one[axis])]
    return f"low confidence: {', '.join(low)}" if low else ""


def _guessed(label: Label) -> bool:
    """Did a text decide it? What a source says of its own rows has low confidence too, but there is nothing to read."""
    return label.confidence == "low" and label.by.partition("@")[0] not in OF_SOURCE
