"""Two results that exist already, one the replay of the other: the same seal, or the same stated conditions."""

from __future__ import annotations

import json

from denominator.compare.comparable import comparable
from denominator.compare.replays import missing_draws, replay_of
from denominator.errors import BlockedError, InputError, NotComparableError, Problem
from denominator.pipeline.replaying import LEAST_HOURS, WENT_BACK, hours, known_times
from denominator.pipeline.results import Result
from denominator.pipeline.sides import side_of
from denominator.records.conditions import condition
from denominator.records.replays import Replay
from denominator.records.rows import Ledger
from denominator.records.values import NotMeasured
from denominator.wire.times import read_time

SHOWN = 20


def replay_pair(name: str, first: Result, again: Result, *, early_why: str = "") -> Replay:
    """The flips between two results. Raises NotComparableError where they are not of one seal or one set of conditions,
    BlockedError where a control is violated, InputError for one run named twice and for one that came too early."""
    same_seal = first.terms.origin == again.terms.origin == "seal"
    if same_seal and first.ledger.run_id == again.ledger.run_id:
        raise InputError("a run is no replay of itself", where=name, fix=f"denominator replay {name}")
    refuse_played(first, again)
    refuse_blocked(first, again)
    if same_seal and first.terms.digest != again.terms.digest:
        what = f"the seals differ: {first.terms.digest[:12]} and {again.terms.digest[:12]}"
        raise NotComparableError(f"{what}; a replay has the seal of its run", fix="denominator compare the two")
    if not same_seal:
        _same_conditions(first, again)
    if odd := missing_draws(first.judged.sheet, again.judged.sheet):
        raise NotComparableError(f"only one of the two declares {', '.join(odd[:SHOWN])}", fix="replay every draw")
    passed = hours_apart(first, again)
    if (passed is WENT_BACK or (isinstance(passed, int) and passed < LEAST_HOURS)) and not early_why.strip():
        between = str(passed) if isinstance(passed, NotMeasured) else f"{passed} h lie between the two"
        raise InputError(
            f"a replay comes at least {LEAST_HOURS} h after the run: {between}",
            where="replay",
            fix='say why: --early "WHY" (it is printed wherever the flips are)',
        )
    times = known_times(
        first.ended or max(_stated(first, "finished_at_utc"), default=""), min(began_of(again), default="")
    )
    return replay_of(
        first.judged.sheet, again.judged.sheet, run_id=name, hours=passed, early_why=early_why, times=times
    )


def refuse_played(first: Result, again: Result) -> None:
    """What a recording answered is no second look: its flips would be none, whatever the model does."""
    for one in (first, again):
        if one.terms.cassette is not None:
            what = f"{one.ledger.run_id} was played from a recording of {one.terms.cassette.run_id}"
            raise NotComparableError(f"{what}: no draw of it is a new one", fix="replay without the cassette")


def refuse_blocked(first: Result, again: Result) -> None:
    """Flips of a number that may not be printed are not printed either where they would tell the split."""
    hidden = [one.ledger.run_id for one in (first, again) if one.judged.split_hidden]
    if hidden:
        raise BlockedError(
            f"a control of {', '.join(hidden)} is violated", where="replay", fix=f"denominator gate {hidden[0]}"
        )


def _same_conditions(first: Result, again: Result) -> None:
    found = comparable(side_of("first", first), side_of("again", again), treatment=())
    if found.status != "comparable":
        problems = [Problem("conditions", reason) for reason in found.reasons]
        raise NotComparableError(
            "these are not the same conditions", where="replay", problems=problems, fix="denominator compare the two"
        )


def hours_apart(first: Result, again: Result) -> int | NotMeasured:
    """Whole hours between the last start that the first states and the first start of the other.

    Rows say it, else the manifest: the end that it states, else the start.
    """
    before, after = ended_of(first), began_of(again)
    if not before or not after:
        return NotMeasured("neither rows nor manifests say when they were made")
    ends, begins = [read_time(text) for text in before], [read_time(text) for text in after]
    if None in ends or None in begins:
        return NotMeasured("a time that is stated is no ISO 8601 stamp")
    return hours(max(filter(None, ends)), min(filter(None, begins)))


def ended_of(result: Result) -> list[str]:
    """Times at which a result ended: by its journal, else the last starts that its rows state, else its manifest."""
    return (
        [result.ended]
        if result.ended
        else _stamps(result.ledger) or _stated(result, "finished_at_utc", "started_at_utc")
    )


def began_of(result: Result) -> list[str]:
    """Times at which it began."""
    return [result.began] if result.began else _stamps(result.ledger) or _stated(result, "started_at_utc")


def _stamps(ledger: Ledger) -> list[str]:
    return [row.started_at for row in ledger.rows if isinstance(row.started_at, str)]


def _stated(result: Result, *names: str) -> list[str]:
    """The first of these conditions that is a text."""
    for name in names:
        found = condition(result.terms.conditions, name)
        read = json.loads(found) if isinstance(found, str) else None
        if isinstance(read, str):
            return [read]
    return []
