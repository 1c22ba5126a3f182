"""Do people agree, and do the rules agree with them? From the first labels on blind sheets alone.

A second label of the same person came after something was learned; a sheet of rows that somebody picked says nothing
about the others. Both count for the rows that they are about, and are left out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations

from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.reviews import AxisAgreement, Confusion, Figure, PairAgreement
from denominator.records.values import NotMeasured
from denominator.review.deciding import by_person, is_adjudication, label_id, person_of
from denominator.stats.agreement import patterns
from denominator.stats.decimals import decimal6
from denominator.stats.labelers import LEAST_ITEMS, reliability
from denominator.stats.rates import Interval

Said = Mapping[AttemptKey, str]
RULES = "rules"
PEOPLE = "people who agree"
NOTHING = "(none)"
TOO_FEW = NotMeasured(f"no coefficient under {LEAST_ITEMS} items")


def agreement(axis: str, categories: int, labels: Iterable[Label], rules: Said) -> AxisAgreement:
    """Every pair of labelers on one axis with `categories` possible values; `rules` are the labels of the rules."""
    said = first_labels(axis, labels)
    pairs = (pair_of(first, second, said[first], said[second], categories) for first, second in combinations(said, 2))
    return AxisAgreement(
        axis=axis,
        pairs=tuple(pair for pair in pairs if pair.items),
        rules=_rules(said.values(), rules),
    )


def first_labels(axis: str, labels: Iterable[Label]) -> dict[str, dict[AttemptKey, str]]:
    """What each person said first of each row on a blind sheet, people sorted."""
    found: dict[str, dict[AttemptKey, str]] = {}
    firsts = (one for one in labels if by_person(one) and one.axis == axis and one.blind and not one.supersedes)
    for label in sorted(firsts, key=lambda one: (person_of(one), one.at, label_id(one))):
        if not is_adjudication(label):
            found.setdefault(person_of(label), {}).setdefault(label.key, label.value)
    return found


def pair_of(first: str, second: str, one: Said, two: Said, categories: int) -> PairAgreement:
    """Two labelers; under 50 items there are counts and nothing else."""
    both = sorted(one.keys() & two.keys())
    counts = patterns([[one[key] for key in both], [two[key] for key in both]])
    enough = len(both) >= LEAST_ITEMS
    found = reliability(counts, categories) if enough else None
    figures = (
        (
            _figure("raw agreement", found.raw, found.raw_interval),
            _figure("Krippendorff's alpha", found.alpha, found.alpha_interval),
            _figure("Cohen's kappa", found.kappa, found.kappa_interval),
            _figure("Gwet's AC1", found.ac1, found.ac1_interval),
        )
        if found
        else ()
    )
    return PairAgreement(
        first=first,
        second=second,
        items=len(both),
        same=sum(one[key] == two[key] for key in both),
        figures=figures,
        confusion=_confusion(one, two, both),
        enough=enough,
        reliable=found.reliable if found else False,
    )


def _rules(said: Iterable[Said], rules: Said) -> PairAgreement:
    """The rules against the rows on which two people or more said the same and nobody said otherwise."""
    votes: dict[AttemptKey, list[str]] = {}
    for one in said:
        for key, value in one.items():
            votes.setdefault(key, []).append(value)
    people = {key: values[0] for key, values in votes.items() if len(values) > 1 and len(set(values)) == 1}
    machine = {key: rules.get(key) or NOTHING for key in people}
    both = sorted(people)
    return PairAgreement(
        first=RULES,
        second=PEOPLE,
        items=len(both),
        same=sum(machine[key] == people[key] for key in both),
        figures=(),
        confusion=_confusion(machine, people, both),
    )


def _confusion(one: Said, two: Said, both: Iterable[AttemptKey]) -> tuple[Confusion, ...]:
    cells: dict[tuple[str, str], list[AttemptKey]] = {}
    for key in both:
        cells.setdefault((one[key], two[key]), []).append(key)
    return tuple(
        Confusion(first=a, second=b, count=len(keys), rows=tuple(map(key_name, keys)) if a != b else ())
        for (a, b), keys in sorted(cells.items())
    )


def key_name(key: AttemptKey) -> str:
    """A row as `review adjudicate` takes it: task, repeat and attempt."""
    return f"{key.task_id}#{key.repeat}.{key.attempt}"


def _figure(name: str, value: Fraction | NotMeasured, interval: Interval | NotMeasured) -> Figure:
    lo = interval if isinstance(interval, NotMeasured) else decimal6(interval.lo)
    hi = interval if isinstance(interval, NotMeasured) else decimal6(interval.hi)
    return Figure(name=name, value=value if isinstance(value, NotMeasured) else decimal6(value), lo=lo, hi=hi)
