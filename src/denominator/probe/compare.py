"""Probes side by side, in the order in which they were named. START HERE: conditions first, counts only when all agree.

What may differ is the endpoint, its model and the name under which it takes the output cap: those are compared. Everything
else that could move a count must be the same, and every difference is named at once. There is no total, no difference of
counts, and no order by value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal

from denominator.errors import InputError
from denominator.probe.attempts import class_place, group_place, mode_place, told
from denominator.probe.classing import class_word
from denominator.probe.latency import TIMES
from denominator.probe.sentence import MAY_NOT
from denominator.records.probe_compared import (
    Cell,
    Difference,
    FlagLine,
    ProbeComparison,
    ProbeSide,
    SideLine,
    TimesLine,
)
from denominator.records.probe_results import ProbeScore, Quantiles, Scored
from denominator.records.probe_words import FLAGS, INVALID, Cls
from denominator.records.probes import Terms
from denominator.records.values import NotMeasured

COMPARABLE, NOT_COMPARABLE = "comparable", "not_comparable"
MOST = 5
PLAN = {"fixture_sha256", "run.attempts", "windows"}
"""Where one of these differs, other attempts were planned, and nobody needs a list of them."""
Named = tuple[str, ProbeScore]
WHY = {
    "attempts": "more attempts are more chances to fail",
    "seed": "the order of requests is part of the conditions",
    "deadline_ms": "a longer deadline is another promise",
    "gap_ms": "a longer silence that is borne is another promise",
    "slow_ms": "the flag `slow` would mean two things",
    "body_bytes_max": "a larger cap is another promise",
    "warmups": "a warm endpoint answers otherwise",
    "pause_ms": "another pace is another load",
    "rate": "another pace is another load, and other times",
    "in_flight": "another pace is another load, and other times",
}


def compare(named: Sequence[Named]) -> ProbeComparison:
    """Two or more scores by the names that the caller gave. InputError for fewer, and for the same probe twice."""
    _refuse_same(named)
    differences = tuple(_differences([score for _, score in named]))
    sides = tuple(_side(name, score, bare=bool(differences)) for name, score in named)
    if differences:
        return ProbeComparison(
            schema_version=1, status=NOT_COMPARABLE, sides=sides, differences=differences, may_not=MAY_NOT
        )
    scores = [score for _, score in named]
    return ProbeComparison(
        schema_version=1,
        status=COMPARABLE,
        sides=sides,
        conditions=_shared(scores[0]),
        lines=tuple(_lines(scores)),
        flags=tuple(_flags(scores)),
        latency=tuple(_times(scores)),
        may_not=MAY_NOT,
    )


def _shared(one: ProbeScore) -> dict[str, str]:
    """What every side has in common, for whoever reads the comparison alone."""
    return {
        "fixture": one.fixture_sha256,
        "client": one.client,
        "classifier": one.classifier,
        "path": one.path.told,
        "attempts": str(one.terms.attempts),
    }


def _refuse_same(named: Sequence[Named]) -> None:
    if len(named) < 2:
        raise InputError("a comparison takes two probes or more", fix="denominator probe compare A B")
    seen: dict[str, str] = {}
    for name, score in named:
        if score.seal_sha256 in seen:
            raise InputError(
                f"{seen[score.seal_sha256]} and {name} are the same probe", where=name, fix="name two probes"
            )
        seen[score.seal_sha256] = name


def _differences(scores: Sequence[ProbeScore]) -> Iterable[Difference]:
    """Field by field, in the order of the seal; then what the windows turned out to be."""
    asked: list[tuple[str, Callable[[ProbeScore], str], str]] = [
        ("fixture_sha256", lambda one: one.fixture_sha256, "other cases, or other temperatures, are other questions"),
        ("client", lambda one: one.client, "another client asks and waits otherwise"),
        ("classifier", lambda one: one.classifier, "another classifier is another referee: score both anew"),
        ("path.kind", lambda one: one.path.kind, "a gateway answers in the endpoint's place"),
        ("path.name", lambda one: one.path.name, "another gateway answers otherwise"),
        ("path.version", lambda one: one.path.version, "another version of a gateway answers otherwise"),
        *((f"run.{name}", _term(name), WHY.get(name, "part of the conditions")) for name in _terms()),
        ("windows", lambda one: str(len(one.windows)), "more windows see more of a day"),
        ("independent windows", _independent, "windows close together see one state of an endpoint twice"),
    ]
    found = [one for field, read, why in asked for one in _difference(scores, field, read, why)]
    yield from found
    if not {one.field for one in found} & PLAN:
        why = "what a probe never asked, its endpoint cannot have failed"
        yield from _difference(scores, "attempts asked", _asked(scores), why)


def _difference(
    scores: Sequence[ProbeScore], field: str, read: Callable[[ProbeScore], str], why: str
) -> Iterable[Difference]:
    values = tuple(read(one) or "none" for one in scores)
    if len(set(values)) > 1:
        yield Difference(field=field, values=values, why=why)


def _terms() -> tuple[str, ...]:
    return tuple(one.name for one in fields(Terms))


def _term(name: str) -> Callable[[ProbeScore], str]:
    """A term as text that is equal when the value is; how many may be in flight means something at a fixed rate only."""

    def read(score: ProbeScore) -> str:
        value = getattr(score.terms, name)
        if name == "in_flight" and not score.terms.rate:
            return ""
        return f"{Decimal(value).normalize():f}" if name == "rate" and value else str(value)

    return read


def _independent(score: ProbeScore) -> str:
    return ", ".join(str(one.number) for one in score.windows if one.independent)


def _asked(scores: Sequence[ProbeScore]) -> Callable[[ProbeScore], str]:
    """All that any of them asked, or what this one lacks of it."""
    every = {_key(one) for score in scores for one in score.attempts}

    def read(score: ProbeScore) -> str:
        lacks = sorted(every - {_key(one) for one in score.attempts})
        more = f" and {len(lacks) - MOST} more" if len(lacks) > MOST else ""
        return f"without {', '.join(map(told, lacks[:MOST]))}{more}" if lacks else "all that any of them asked"

    return read


def _key(one: Scored) -> tuple[int, str, str, int]:
    return one.window, one.case_id, one.mode, one.attempt


def _side(name: str, score: ProbeScore, bare: bool) -> ProbeSide:
    """What a side says by itself; of sides that may not be compared nothing but who they are."""
    return ProbeSide(
        name=name,
        url=score.url,
        model=score.model,
        seal_sha256=score.seal_sha256,
        windows=() if bare else score.windows,
        sentences=() if bare else score.sentences,
        across=() if bare else score.across,
        notes=() if bare else score.notes,
        cap_field=score.cap_field,
    )


def _lines(scores: Sequence[ProbeScore]) -> Iterable[SideLine]:
    """Every class that any of them has, by group; the passes of a group always."""
    words = {(one.group, *class_word(one.cls, one.reason)) for score in scores for one in score.attempts}
    words |= {(group, str(Cls.PASS), "") for group, _, _ in words}
    for group, cls, reason in sorted(words, key=lambda word: (group_place(word[0]), class_place(word[1], word[2]))):

        def of_word(one: Scored, word: tuple[str, str] = (cls, reason)) -> bool:
            return class_word(one.cls, one.reason) == word

        told_anyway = (cls, reason) in INVALID
        cells = tuple(_cells(score, group, of_word, told_anyway) for score in scores)
        yield SideLine(group=group, cls=cls, reason=reason, cells=cells)


def _flags(scores: Sequence[ProbeScore]) -> Iterable[FlagLine]:
    seen = {(one.group, flag) for score in scores for one in score.attempts for flag in one.flags}
    places: Mapping[str, int] = {flag: place for place, flag in enumerate(FLAGS)}
    for group, flag in sorted(seen, key=lambda two: (group_place(two[0]), places.get(two[1], len(places)), two[1])):

        def flagged(one: Scored, flag: str = flag) -> bool:
            return flag in one.flags

        yield FlagLine(
            group=group, flag=flag, cells=tuple(_cells(score, group, flagged, told_anyway=True) for score in scores)
        )


def _cells(score: ProbeScore, group: str, holds: Callable[[Scored], bool], told_anyway: bool) -> tuple[Cell, ...]:
    """Window by window; of a window whose passes are withheld only what says nothing of the endpoint."""
    made = []
    for window in score.windows:
        here = [one for one in score.attempts if (one.window, one.group) == (window.number, group)]
        if window.withheld and not told_anyway:
            made.append(Cell(window=window.number, k=NotMeasured(window.withheld), n=len(here)))
        else:
            made.append(Cell(window=window.number, k=sum(map(holds, here)), n=len(here)))
    return tuple(made)


def _times(scores: Sequence[ProbeScore]) -> Iterable[TimesLine]:
    by_side = [{(one.window, one.mode, one.of): one for one in score.latency} for score in scores]
    keys = dict.fromkeys(key for side in by_side for key in side)
    none = NotMeasured("no exchange has this time")
    for window, mode, of in sorted(keys, key=lambda key: (key[0], mode_place(key[1]), TIMES.index(key[2]))):
        cells: tuple[Quantiles | NotMeasured, ...] = tuple(side.get((window, mode, of), none) for side in by_side)
        yield TimesLine(window=window, mode=mode, of=of, cells=cells)
