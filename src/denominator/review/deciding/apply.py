"""Rules' labels with the decisions of people in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.reviews import NOBODY, Decision, Dispute, PeopleWork
from denominator.records.rows import AttemptRow
from denominator.records.words import Axis, Grade
from denominator.review.deciding.decided import decided, people_digest
from denominator.review.deciding.identity import by_person, person_of
from denominator.review.deciding.ruling import BY, Ruling
from denominator.review.deciding.settle import SINGLE_AXES, settle
from denominator.review.words import allowed_values

Relabel = Callable[[AttemptRow, Ruling], Iterable[Label]]
VERDICTS = {"pass": Grade.GREEN, "fail": Grade.RED}
NO_ROW = "no row that started has this key"


def with_people(
    rows: Iterable[AttemptRow],
    ruled: Sequence[Label],
    given: Iterable[Label],
    relabel: Relabel,
    house_reasons: Iterable[str] = (),
) -> tuple[tuple[Label, ...], PeopleWork]:
    """Labels of rules, with those of people in their place, and how far people's reach.

    `given` are labels that the ledger holds: people's, and what the source of a foreign row says. `relabel` judges one
    row again where a ruling has the last word on some axes.
    """
    given = tuple(given)
    decisions = _by_key(decided(given))
    if not decisions:
        return tuple(ruled), NOBODY
    said = _of_keys(ruled, decisions)
    sources = {label.key: label.value for label in given if label.axis == Axis.OUTCOME and not by_person(label)}
    allowed = allowed_values(house_reasons)
    settled: dict[AttemptKey, tuple[Ruling, Sequence[Label]]] = {}
    for row in rows:
        if row.key in said:
            verdict = verdict_of(row, sources.get(row.key, ""))
            ruling = settle(row.key, row.slice, verdict, said[row.key], decisions[row.key], allowed)
            after = tuple(_after(ruling, said[row.key], relabel(row, ruling))) if ruling.labels else said[row.key]
            settled[row.key] = (ruling, after)
    labels = _put_in_place(ruled, {key: after for key, (_, after) in settled.items()})
    return labels, _work(given, said, settled, _homeless(decisions, said))


def verdict_of(row: AttemptRow, source: str) -> str:
    """The grade that a grader saw, or the verdict that a foreign source states; else none."""
    return row.grade if row.grade != Grade.NONE else VERDICTS.get(source, Grade.NONE)


def _after(ruling: Ruling, before: Iterable[Label], again: Iterable[Label]) -> Iterable[Label]:
    """People's labels where they decided; the rules' own where nothing changed."""
    old = {(label.axis, label.value): label for label in before}
    for label in again:
        kept = old.get((label.axis, label.value), label) if label.by == BY else label
        yield ruling.labels.get(label.axis, kept)


def _by_key(decisions: Iterable[Decision]) -> dict[AttemptKey, list[Decision]]:
    found: dict[AttemptKey, list[Decision]] = {}
    for decision in decisions:
        found.setdefault(decision.key, []).append(decision)
    return found


def _of_keys(labels: Iterable[Label], keys: Mapping[AttemptKey, object]) -> dict[AttemptKey, list[Label]]:
    found: dict[AttemptKey, list[Label]] = {}
    for label in labels:
        if label.key in keys:
            found.setdefault(label.key, []).append(label)
    return found


def _put_in_place(ruled: Iterable[Label], settled: Mapping[AttemptKey, Sequence[Label]]) -> tuple[Label, ...]:
    """A row's labels stand where they stood."""
    out: list[Label] = []
    done = set()
    for label in ruled:
        if label.key not in settled:
            out.append(label)
        elif label.key not in done:
            done.add(label.key)
            out.extend(settled[label.key])
    return tuple(out)


def _homeless(decisions: Mapping[AttemptKey, Sequence[Decision]], rows: Mapping[AttemptKey, object]) -> list[Dispute]:
    return [
        Dispute(key=one.key, axis=one.axis, values=tuple(sorted(set(one.values))), stands="", why=NO_ROW)
        for key, found in decisions.items()
        if key not in rows
        for one in found
    ]


def _work(
    given: Sequence[Label],
    before: Mapping[AttemptKey, Sequence[Label]],
    settled: Mapping[AttemptKey, tuple[Ruling, Sequence[Label]]],
    homeless: Sequence[Dispute],
) -> PeopleWork:
    disputes = [one for ruling, _ in settled.values() for one in ruling.disputes]
    return PeopleWork(
        people=tuple(sorted({person_of(label) for label in given if by_person(label)})),
        decided=tuple(sorted(key for key, (ruling, _) in settled.items() if ruling.labels)),
        changed=tuple(sorted(key for key, (_, after) in settled.items() if _single(after) != _single(before[key]))),
        adjudicated=tuple(sorted(key for key, (ruling, _) in settled.items() if ruling.adjudicated)),
        disputes=tuple(sorted((*disputes, *homeless), key=lambda one: (one.key, one.axis, one.why))),
        digest=people_digest(given),
    )


def _single(labels: Iterable[Label]) -> dict[str, str]:
    return {label.axis: label.value for label in labels if label.axis in SINGLE_AXES}
