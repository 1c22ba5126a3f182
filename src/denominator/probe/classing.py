"""One attempt, one class: the first by precedence of what its own bytes and its neighbours show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from denominator.probe.asking import model_of
from denominator.probe.attempts import Key, group_of, key_of
from denominator.records.probe_results import Fault, Heard, Scored
from denominator.records.probe_words import CONTRACT_OF, FLAGS, INVALID, PARAM_IGNORED, PRECEDENCE, Cls, Kept
from denominator.records.probes import Fixture

FLIPPED = "fingerprint_changed"


def classify(
    fixture: Fixture, model: str, heard: Sequence[Heard], neighbours: Mapping[Key, tuple[Fault, ...]]
) -> tuple[Scored, ...]:
    """Every measured attempt with its class, in the order given. `model` is asked where a case names none."""
    flipped = _flipped(fixture, model, heard)
    return tuple(_scored(fixture, one, neighbours.get(key_of(one), ()), key_of(one) in flipped) for one in heard)


def _scored(fixture: Fixture, heard: Heard, neighbours: Iterable[Fault], flipped: bool) -> Scored:
    """The class, and every other word beside it. Reasons of one class stay in the order in which they were found."""
    faults = sorted((*heard.faults, *neighbours), key=lambda one: (one.observed, _place(one.cls)))
    broken = [one for one in faults if not one.observed and one.cls != PARAM_IGNORED]
    first = broken[0] if broken else Fault(cls=Cls.PASS, reason="")
    also = dict.fromkeys(one.word for one in faults if one.word != first.word)
    flags = {*heard.flags, *([FLIPPED] if flipped else [])}
    return Scored(
        window=heard.window,
        seq=heard.ask.seq,
        case_id=heard.ask.case_id,
        group=group_of(fixture.case(heard.ask.case_id)),
        mode=heard.ask.mode,
        attempt=heard.ask.attempt,
        cls=str(first.cls),
        reason=first.reason,
        note=first.note,
        also=tuple(also),
        flags=(*(one for one in FLAGS if one in flags), *sorted(flags - set(FLAGS))),
        judgements={**heard.judgements, **{CONTRACT_OF[Cls(one.cls)]: Kept.FAIL for one in neighbours}},
        status=heard.status,
        total_us=heard.total_us,
        body_sha256=heard.body_sha256,
    )


def class_word(cls: str, reason: str) -> tuple[str, str]:
    """How an end is told in few words: its class; with the reason where the class alone accuses of a quota, or says nothing."""
    apart = (cls, reason) in INVALID or cls == Cls.ERROR_CONTRACT
    return str(cls), reason if apart else ""


def _place(cls: str) -> int:
    return PRECEDENCE.index(Cls(cls)) if cls != PARAM_IGNORED else len(PRECEDENCE)


def _flipped(fixture: Fixture, model: str, heard: Iterable[Heard]) -> set[Key]:
    """Attempts of a window and model that named more than one fingerprint: what answered was not one thing."""
    named: dict[tuple[int, str], dict[Key, str]] = defaultdict(dict)
    for one in heard:
        if isinstance(one.fingerprint, str):
            named[one.window, model_of(fixture.case(one.ask.case_id), model)][key_of(one)] = one.fingerprint
    return {key for keys in named.values() if len(set(keys.values())) > 1 for key in keys}
