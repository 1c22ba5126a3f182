"""Everything that a probe shows, from what was heard of each attempt. START HERE: every step in the order of the score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.probe.across import across
from denominator.probe.attempts import group_of, key_of, measured, planned, told
from denominator.probe.classing import classify
from denominator.probe.facts import endpoint_facts
from denominator.probe.histogram import histogram
from denominator.probe.latency import latency
from denominator.probe.sentence import MAY_NOT, sentences
from denominator.probe.windows import window_lines
from denominator.records.probe_results import Heard, ProbeScore, WindowLine
from denominator.records.probe_words import CLASSIFIER
from denominator.records.probes import Fixture, ProbeSeal, Window
from denominator.records.values import counted

REDACTED = (
    "bodies are redacted: attempts have the class that classifier {} heard at the time, and cannot be judged again"
)


def score(
    seal: ProbeSeal, seal_sha256: str, fixture: Fixture, windows: Sequence[Window], heard: Iterable[Heard]
) -> ProbeScore:
    """The score of the windows as they are, in any order of `heard`; InputError for attempts that nobody planned.

    What was planned and is not there is named in `missing`. Warm-ups are in `heard` and in no count.
    """
    envelope, terms = seal.envelope, seal.envelope.run
    counted_in, warmups = measured(fixture, terms, windows, heard)
    lines, faults = across(fixture, counted_in)
    attempts = classify(fixture, envelope.endpoint.model, counted_in, faults)
    told_windows = window_lines(windows, attempts, warmups, envelope.use.invalid_rate_ceiling)
    there = set(map(key_of, counted_in))
    owed = [key for key in planned(fixture, terms, sorted(windows, key=lambda one: one.number)) if key not in there]
    return ProbeScore(
        schema_version=1,
        name=envelope.name,
        seal_sha256=seal_sha256,
        fixture_sha256=fixture.sha256,
        cases=len(fixture.cases),
        client=seal.client,
        classifier=seal.classifier if envelope.redact_bodies else CLASSIFIER,
        url=envelope.endpoint.url,
        model=envelope.endpoint.model,
        path=envelope.path,
        terms=terms,
        use=envelope.use,
        windows=told_windows,
        attempts=attempts,
        across=lines,
        histogram=histogram(attempts, {one.number for one in told_windows if one.withheld}),
        latency=latency(fixture, terms, counted_in, attempts),
        facts=endpoint_facts(fixture, counted_in),
        sentences=sentences(seal, fixture, told_windows, attempts, [group_of(fixture.case(key[1])) for key in owed]),
        missing=tuple(map(told, owed)),
        notes=(*_resumed(windows), *_notes(told_windows, len(owed)), *_redacted(seal)),
        may_not=MAY_NOT,
        cap_field=envelope.endpoint.cap_field,
    )


def _resumed(windows: Iterable[Window]) -> Iterable[str]:
    for one in sorted(windows, key=lambda one: one.number):
        if one.resumed_at:
            times = counted(len(one.resumed_at), "time")
            yield f"window {one.number} was interrupted and resumed {times}, the last at {one.resumed_at[-1]}"


def _redacted(seal: ProbeSeal) -> Iterable[str]:
    if seal.envelope.redact_bodies:
        yield REDACTED.format(seal.classifier)


def _notes(windows: Iterable[WindowLine], owed: int) -> Iterable[str]:
    for one in windows:
        if one.withheld:
            yield f"window {one.number}: passes are not counted: {one.withheld}"
        if one.why:
            yield f"window {one.number} is not independent: {one.why}"
        if one.warmups:
            yield f"window {one.number}: {counted(one.warmups, 'warm-up request')} outside every count"
    if owed:
        yield f"{counted(owed, 'planned attempt')} never asked: this probe is not complete"
