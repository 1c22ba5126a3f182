"""Labels of people -> one decision per row and axis.

Two people who agree decide, as long as nobody who labelled the same row says otherwise; an adjudication decides over
all of them. One person alone decides nothing, however often.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.reviews import Decision
from denominator.review.deciding.identity import by_person, heads, is_adjudication, label_id, person_of
from denominator.wire.canonical import digest

ENOUGH = 2


def decided(labels: Iterable[Label]) -> tuple[Decision, ...]:
    """The decision on every (row, axis) that a person labelled, sorted. Labels of rules and imports are not looked at."""
    groups: dict[tuple[AttemptKey, str], list[Label]] = {}
    for label in labels:
        if by_person(label):
            groups.setdefault((label.key, label.axis), []).append(label)
    return tuple(_decision(key, axis, found) for (key, axis), found in sorted(groups.items()))


def people_digest(labels: Iterable[Label]) -> str:
    """sha256 over the ids of all labels of people; empty without any."""
    ids = sorted({label_id(label) for label in labels if by_person(label)})
    return digest(ids) if ids else ""


def _decision(key: AttemptKey, axis: str, labels: Sequence[Label]) -> Decision:
    over = heads(label for label in labels if is_adjudication(label))
    if over:
        return _made(key, axis, over, "adjudicated" if _values(over) == 1 else "disputed")
    said = [label for one in _each_person(labels) for label in heads(one)]
    if _values(said) > 1:
        return _made(key, axis, said, "disputed")
    return _made(key, axis, said, "agreed" if len({person_of(label) for label in said}) >= ENOUGH else "single")


def _each_person(labels: Iterable[Label]) -> Iterable[list[Label]]:
    """A label replaces one of the same person only."""
    of_person: dict[str, list[Label]] = {}
    for label in labels:
        if not is_adjudication(label):
            of_person.setdefault(person_of(label), []).append(label)
    return of_person.values()


def _values(labels: Iterable[Label]) -> int:
    return len({label.value for label in labels})


def _made(key: AttemptKey, axis: str, labels: Sequence[Label], state: str) -> Decision:
    ordered = sorted(labels, key=lambda label: (person_of(label), label_id(label)))
    final = state in ("agreed", "adjudicated")
    return Decision(
        key=key,
        axis=axis,
        state=state,
        value=ordered[0].value if final else "",
        people=tuple(person_of(label) for label in ordered),
        values=tuple(label.value for label in ordered),
        labels=tuple(label_id(label) for label in ordered),
        evidence=tuple(one for label in ordered for one in label.evidence) if state == "adjudicated" else (),
        why="; ".join(dict.fromkeys(label.why for label in ordered if label.why)),
    )
