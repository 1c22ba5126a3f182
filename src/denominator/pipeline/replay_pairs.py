"""Two results that exist already, one the replay of the other: the same seal, or the same stated conditions."""

from __future__ import annotations

from denominator.compare.comparable import comparable
from denominator.compare.replays import missing_draws, replay_of
from denominator.errors import InputError, NotComparableError, Problem
from denominator.pipeline.replaying import hours
from denominator.pipeline.results import Result
from denominator.pipeline.sides import side_of
from denominator.records.replays import Replay
from denominator.records.rows import Ledger
from denominator.records.values import NotMeasured

SHOWN = 20


def replay_pair(name: str, first: Result, again: Result, *, early_why: str = "") -> Replay:
    """The flips between two results. Raises NotComparableError where they are not of one seal or one set of conditions."""
    refuse_blocked(first, again)
    same_seal = first.terms.origin == again.terms.origin == "seal"
    if same_seal and first.terms.digest != again.terms.digest:
        what = f"the seals differ: {first.terms.digest[:12]} and {again.terms.digest[:12]}"
        raise NotComparableError(f"{what}; a replay has the seal of its run", fix="denominator compare the two")
    if not same_seal:
        _same_conditions(first, again)
    if odd := missing_draws(first.judged.sheet, again.judged.sheet):
        raise NotComparableError(f"only one of the two declares {', '.join(odd[:SHOWN])}", fix="replay every draw")
    passed = hours_apart(first.ledger, again.ledger)
    return replay_of(first.judged.sheet, again.judged.sheet, run_id=name, hours=passed, early_why=early_why)


def refuse_blocked(first: Result, again: Result) -> None:
    """Flips of a number that may not be printed are not printed either where they would tell the split."""
    hidden = [one.ledger.run_id for one in (first, again) if one.judged.split_hidden]
    if hidden:
        raise InputError(f"a control of {', '.join(hidden)} is violated", where="replay", fix="denominator gate")


def _same_conditions(first: Result, again: Result) -> None:
    found = comparable(side_of("first", first), side_of("again", again), treatment=())
    if found.status != "comparable":
        problems = [Problem("conditions", reason) for reason in found.reasons]
        raise NotComparableError("these are not the same conditions", where="replay", problems=problems)


def hours_apart(first: Ledger, again: Ledger) -> int | NotMeasured:
    """Whole hours between the last start that the first states and the first start of the other."""
    before = [row.started_at for row in first.rows if isinstance(row.started_at, str)]
    after = [row.started_at for row in again.rows if isinstance(row.started_at, str)]
    if not before or not after:
        return NotMeasured("the rows do not say when they were made")
    return hours(max(before), min(after))
