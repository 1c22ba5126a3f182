"""Settling a row that people dispute, or that one of them sees otherwise than the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from denominator.errors import BlockedError, InputError, Problem
from denominator.judge import judge
from denominator.pipeline.house import house_rules
from denominator.pipeline.people import append_labels
from denominator.pipeline.quoting import quotes_of
from denominator.pipeline.reviewing import Subject, find_row, labeler_name, refuse_time
from denominator.records.labels import Label
from denominator.records.values import is_placeholder
from denominator.records.words import Axis, Origin
from denominator.review import adjudication, key_name
from denominator.review.deciding import by_person
from denominator.wire.reading import nearest


def adjudicate(
    subject: Subject,
    row: str,
    axis: str,
    value: str,
    *,
    by: str,
    why: str,
    at: str,
    reason: str = "",
    evidence: Sequence[str] = (),
    quote: str = "",
) -> tuple[Label, ...]:
    """Record that somebody settled a row. Raises BlockedError, with nothing recorded, where it could not stand."""
    key = find_row(subject, row)
    name = labeler_name(by, "--by")
    refuse_time(at)
    if is_placeholder(why):
        raise InputError("an adjudication needs a why", where="--why")
    wanted = _wanted(subject, axis, value, reason)
    quotes = quotes_of(subject.run, key, evidence, quote)

    def make(known: tuple[Label, ...]) -> Sequence[Label]:
        said = (adjudication(key, axis, word, name, why, at, quotes, known) for axis, word in wanted)
        fresh = [label for label in said if label is not None]
        _refuse_void(subject, (*known, *fresh), fresh)
        return fresh

    return append_labels(subject.folder, make)


def _wanted(subject: Subject, axis: str, value: str, reason: str) -> list[tuple[str, str]]:
    allowed = subject.allowed()
    pairs = [(axis, value)] + ([(str(Axis.REASON), reason)] if reason else [])
    if reason and (axis != Axis.ORIGIN or value == Origin.MODEL):
        raise InputError("only an origin that is not the model's has a reason", where="--reason")
    for name, word in pairs:
        if name not in allowed:
            fix = "tests decide what is a pass" if name == Axis.OUTCOME else f"one of: {', '.join(allowed)}"
            raise InputError(f"axis {name!r} is not open to people", where="--axis", fix=fix)
        if word not in allowed[name]:
            raise InputError(f"{word!r} is no value of {name}", where="--value", fix=nearest(word, allowed[name]))
    return pairs


def _refuse_void(subject: Subject, labels: Sequence[Label], fresh: Sequence[Label]) -> None:
    ledger = subject.result.ledger
    others = tuple(label for label in ledger.labels if not by_person(label))
    judged = judge(replace(ledger, labels=(*others, *labels)), subject.result.terms, house_rules())
    touched = {(label.key, label.axis) for label in fresh}
    problems = [
        Problem(f"{key_name(one.key)} {one.axis}", one.why)
        for one in judged.sheet.people.disputes
        if (one.key, one.axis) in touched
    ]
    if problems:
        raise BlockedError("this could not stand, so nothing was recorded", where=subject.name, problems=problems)
