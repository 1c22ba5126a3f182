"""A bundle of a scoring contract (METHODS M11): `scoring_contract.json`, `events.json`, `rate.json`. Does the rate follow?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from denominator.bundles.layout import CONTRACT as CONTRACT
from denominator.bundles.layout import RATE as RATE
from denominator.errors import DenominatorError
from denominator.records.bundles import Fault
from denominator.wire.canonical import digest

EVENTS = "events.json"
EXCLUDED = ("excluded_after_lock", "excluded")
SECTIONS = ("metrics", "metric", "scoring")
K, N, VALUE = ("task_pass_count", "k", "passed"), ("n", "task_count", "tasks"), ("task_pass_rate", "rate")
SHOWN = 5
HALF_UP = Fraction(1, 2)


def contract_faults(contract: Any, events: Any, rate: Any) -> Iterator[Fault]:
    """What does not hold: events outside the contract, twice or missing; then numbers that the events do not give."""
    ids = contract.get("task_ids") if isinstance(contract, dict) else None
    if not isinstance(ids, list) or not ids or not all(isinstance(one, str) for one in ids):
        yield Fault(kind="contract", where=CONTRACT, what="task_ids is no list of ids")
        return
    if len(set(ids)) != len(ids):
        yield Fault(kind="contract", where=CONTRACT, what=f"task_ids names twice: {_some(_twice(ids))}")
    if not isinstance(contract.get("locked_at"), str) or not contract["locked_at"]:
        yield Fault(kind="contract", where=CONTRACT, what="it was never locked: locked_at is not stated")
    yield from _lock(contract)
    if not isinstance(events, list) or not all(isinstance(one, dict) for one in events):
        yield Fault(kind="contract", where=EVENTS, what="is no list of events")
        return
    yield from _events(ids, events, _limit(contract))
    yield from _runs(contract, events, rate)
    yield from _rate(len(set(ids)), _passed(ids, events), rate)


def _events(ids: list[str], events: list[dict[str, Any]], limit: Any) -> Iterator[Fault]:
    named = [str(one.get("task_id")) for one in events]
    for what, found in (
        ("events outside the contract", sorted(set(named) - set(ids))),
        ("tasks with several events", _twice(named)),
        ("tasks of the contract without an event", sorted(set(ids) - set(named))),
        ("events that do not say whether the task passed", _unsaid(events)),
        ("events that abstain and pass", [str(e.get("task_id")) for e in events if e.get("abstain") and e.get("task_pass")]),
        ("events excluded after the lock", [str(e.get("task_id")) for e in events if any(e.get(one) for one in EXCLUDED)]),
        ("events that pass over the timeout", _late(limit, events)),
    ):  # fmt: skip
        if found:
            yield Fault(kind="contract", where=EVENTS, what=f"{what}: {_some(found)}")


def _limit(contract: dict[str, Any]) -> Any:
    """The timeout in seconds, where one is stated."""
    sections = [contract.get(name) for name in SECTIONS]
    stated = [one.get(name) for one in sections if isinstance(one, dict) for name in ("timeout_s", "timeout")]
    return next((one for one in stated if _is_number(one)), None)


def _late(limit: Any, events: Iterable[dict[str, Any]]) -> list[str]:
    """What the clock says of a pass; a stated time only."""
    if limit is None:
        return []
    timed = ((one, one.get("wall_seconds", one.get("wall_s"))) for one in events if one.get("task_pass") is True)
    return [str(one.get("task_id")) for one, wall in timed if _is_number(wall) and wall > limit]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _lock(contract: dict[str, Any]) -> Iterator[Fault]:
    """A contract that carries its own digest must be what was locked."""
    stated = contract.get("sha256")
    if not stated:
        return
    try:
        found = digest({name: value for name, value in contract.items() if name != "sha256"})
    except DenominatorError:
        found = ""
    if found != stated:
        yield Fault(kind="contract", where=CONTRACT, what="was changed after it was locked: its sha256 is another")


def _unsaid(events: Iterable[dict[str, Any]]) -> list[str]:
    return [str(one.get("task_id")) for one in events if not isinstance(one.get("task_pass"), bool)]


def _runs(contract: dict[str, Any], events: Iterable[dict[str, Any]], rate: Any) -> Iterator[Fault]:
    mine = contract.get("run_id")
    told = {RATE: [rate.get("run_id")] if isinstance(rate, dict) else [], EVENTS: [e.get("run_id") for e in events]}
    for where, found in told.items():
        if others := sorted({str(one) for one in found if one is not None and one != mine}):
            yield Fault(kind="contract", where=where, what=f"is of run {_some(others)}, the contract of {mine}")


def _passed(ids: list[str], events: Iterable[dict[str, Any]]) -> int:
    """Tasks of the contract of which every event says that it passed; several events of one are a fault anyway."""
    said: dict[str, set[bool]] = {}
    for one in events:
        said.setdefault(str(one.get("task_id")), set()).add(one.get("task_pass") is True)
    return sum(said.get(one) == {True} for one in dict.fromkeys(ids))


def _rate(n: int, k: int, rate: Any) -> Iterator[Fault]:
    if not isinstance(rate, dict):
        yield Fault(kind="rate", where=RATE, what="is no object")
        return
    stated_k, stated_n = (next((rate[one] for one in names if one in rate), None) for names in (K, N))
    value = next((rate[one] for one in VALUE if one in rate), None)
    withheld = isinstance(stated_k, dict) and [*stated_k] == ["not_measured"]
    if (stated_k != k and not withheld) or stated_n != n or isinstance(stated_k, bool) or isinstance(stated_n, bool):
        what = f"rate.json does not follow from events.json ({_text(stated_k)}/{_text(stated_n)} vs {k}/{n})"
        yield Fault(kind="rate", where=RATE, what=what)
    if value is not None and not _is_rate(value, k, n):
        what = f"rate.json does not follow from events.json (its rate {_text(value)} is not {k}/{n})"
        yield Fault(kind="rate", where=RATE, what=what)


def _is_rate(value: Any, k: int, n: int) -> bool:
    """Is it k/n, as exactly as it is written?"""
    try:
        stated = Decimal(str(value)) if not isinstance(value, bool) else Decimal("NaN")
    except ArithmeticError:
        return False
    if not stated.is_finite() or not n:
        return False
    exponent = stated.as_tuple().exponent
    step = Fraction(10) ** min(0, exponent if isinstance(exponent, int) else 0)
    return abs(Fraction(stated) - Fraction(k, n)) <= step * HALF_UP if stated else k == 0


def _twice(ids: Iterable[str]) -> list[str]:
    return sorted(one for one, number in Counter(ids).items() if number > 1)


def _some(found: list[str]) -> str:
    return ", ".join(one[:60] for one in found[:SHOWN]) + (
        f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    )


def _text(value: Any) -> str:
    return str(value)[:20] if value is not None else "not stated"
