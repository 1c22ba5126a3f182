"""In which order a window asks: warm-ups, then every attempt of every case, mixed by the seed.

The place of an attempt follows from sha256 of seed, window, case, mode and number alone. So it is the same on every
machine and Python, does not depend on where a case stands in the file, and is another one in another window.
"""

from __future__ import annotations

from hashlib import sha256

from denominator.records.probes import Ask, Case, Fixture, Terms
from denominator.wire.canonical import canonical

WARMUP = "warmup"


def asks(fixture: Fixture, terms: Terms, window: int) -> tuple[Ask, ...]:
    """Every request of a window, numbered from 1; attempts of a case in a mode are numbered from 1 too."""
    plain = sorted(
        (
            (one.id, str(mode), attempt)
            for one in fixture.cases
            for mode in one.modes
            for attempt in range(1, terms.attempts + 1)
        ),
        key=lambda place: _key(terms.seed, window, *place),
    )
    warm = warming(fixture) if fixture.cases else None
    first = [(warm.id, str(warm.modes[0]), number, WARMUP) for number in range(1, terms.warmups + 1)] if warm else []
    places = [*first, *((*place, "measured") for place in plain)]
    return tuple(
        Ask(seq=seq, case_id=case_id, mode=mode, attempt=attempt, purpose=purpose)
        for seq, (case_id, mode, attempt, purpose) in enumerate(places, 1)
    )


def warming(fixture: Fixture) -> Case:
    """The case that warms an endpoint up: a good request, of the envelope's own model where there is one."""
    good = [one for one in fixture.cases if not one.control] or list(fixture.cases)
    return next((one for one in good if not one.model), good[0])


def _key(seed: int, window: int, case_id: str, mode: str, attempt: int) -> str:
    return sha256(canonical([seed, window, case_id, mode, attempt])).hexdigest()
