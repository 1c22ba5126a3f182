"""The account of a run's spend beside its metrics: tokens by part and slice, calls, who was censored, the agent's own word.

Counts and sums only: nothing here says who passed, so none of it is withheld with the rates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from denominator.metrics.reading import was_cut
from denominator.metrics.tally import tally
from denominator.records.draws import JudgedDraw, reader
from denominator.records.grouped import Grouped, grouped
from denominator.records.judgements import NEVER_STARTED, Sheet
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, CallRow
from denominator.records.spends import CallSpend, Censored, OwnCheck, Part, SlicePart
from denominator.records.usage_sources import owed_attempts
from denominator.records.values import NotMeasured
from denominator.records.words import Slice
from denominator.stats import decimal6
from denominator.stats.decimals import finite_decimal
from denominator.wire.providers import is_free

PARTS = ("prompt", "cached_read", "cache_write", "completion", "reasoning")
"""Cached reads and writes are inside the prompt, reasoning is inside the completion."""
IN_COLUMNS = ("prompt", "completion")
NO_FLOOR = NotMeasured("the pack has no floor task, so nobody knows what the harness itself takes")
NO_OWN = NotMeasured("no agent gave an account of its own")
NO_CALLS = NotMeasured("no calls were recorded one by one")


def parts_of(sheet: Sheet) -> tuple[Part, ...]:
    """Tokens of the solvable slice, part by part."""
    draws = grouped(sheet.draws, Slice.SOLVABLE)
    return tuple(_part(draws, name) for name in PARTS)


def _part(draws: Grouped, name: str) -> Part:
    read = reader(f"usage.{name}")

    def unknown(draw: JudgedDraw) -> int:
        return sum(isinstance(read(row), NotMeasured) for row in draw.tries)

    def known(draw: JudgedDraw) -> int:
        return sum(_whole(read(row)) for row in draw.tries)

    if name in IN_COLUMNS:
        inside = draws.tries_where(lambda _draw, _at: True)
        total = draws.work.total(draws.numbers(f"usage.{name}"), inside)
    else:
        total = draws.total(known)
    attempts = draws.total(lambda draw: len(draw.tries))
    return Part(name=name, known=total, unknown=draws.total(unknown), attempts=attempts)


def _whole(value: int | NotMeasured) -> int:
    return value if isinstance(value, int) else 0


def slices_of(sheet: Sheet) -> tuple[SlicePart, ...]:
    """What each slice spent: controls are apart from what the solvable tasks cost."""
    found = []
    for name in Slice:
        draws = grouped(sheet.draws, name)
        if not len(draws):
            continue
        tried = tally(draws, 0)
        found.append(
            SlicePart(
                name=name,
                draws=draws.total(lambda draw: bool(draw.tries)),
                attempts=tried.attempts,
                known=sum(tried.tokens_of),
                unknown=tried.uncounted,
            )
        )
    return tuple(found)


def floor_overhead(slices: Iterable[SlicePart]) -> str | NotMeasured:
    """Tokens of a one-line fix, mean over floor draws: what the harness itself takes."""
    floor = next((one for one in slices if one.name == Slice.FLOOR), None)
    if floor is None or not floor.draws:
        return NO_FLOOR
    if floor.unknown:
        return NotMeasured(f"usage of {floor.unknown} of {floor.attempts} attempts of floor tasks is unknown")
    return decimal6(Fraction(floor.known, floor.draws))


def calls_of(sheet: Sheet) -> CallSpend | NotMeasured:
    """What the calls of all slices show; unknown where some were made and none was recorded as a row of its own."""
    calls = [call for call in sheet.ledger.calls if call.purpose == "solve"]
    if not calls and any(row.started and row.usage.calls != 0 for row, _ in sheet.rows()):
        return NO_CALLS
    dead = list(_dead(calls))
    return CallSpend(
        made=sum(call.sent is not False for call in calls),
        retries=sum(call.retry_of > 0 for call in calls),
        paused_ms=sum(call.paused_ms for call in calls),
        unknown=tuple(sorted(_name(call) for call in calls if _unknown(call))),
        refused=tuple(sorted(_name(call) for call in calls if call.cap_state and call.sent is False)),
        injected=sum(bool(call.injected) for call in calls),
        played=sum(bool(call.cassette) for call in calls),
        replayed_calls=len(dead),
        replayed_tokens=sum(_tokens(call) for call in dead if not _unknown(call)),
        replayed_unknown=sum(map(_unknown, dead)),
        reported=tuple(_reported(calls)),
        resent=tuple(sorted(map(_name, _resent(calls)))),
    )


def _resent(calls: Iterable[CallRow]) -> Iterator[CallRow]:
    """A client's own retries: no declared ones, though each may be paid. What a budget refused was no try."""
    failed: set[tuple[AttemptKey, int, str]] = set()
    for call in sorted(calls, key=lambda one: one.seq):
        if call.cap_state or not isinstance(call.request_sha256, str):
            continue
        sent = (call.key, call.incarnation, call.request_sha256)
        if sent in failed and not call.retry_of:
            yield call
        if call.outcome in ("ok", "open"):
            failed.discard(sent)
        else:
            failed.add(sent)


def _reported(calls: Iterable[CallRow]) -> Iterator[tuple[str, str]]:
    """What the providers say that the calls cost, unit by unit, exactly."""
    sums: dict[str, Decimal] = {}
    for call in calls:
        cost = finite_decimal(call.provider_cost) if isinstance(call.provider_cost, str) else None
        if cost is not None:
            unit = call.provider_cost_unit if isinstance(call.provider_cost_unit, str) else "no unit named"
            sums[unit] = sums.get(unit, Decimal(0)) + cost
    return ((unit, f"{total:f}") for unit, total in sorted(sums.items()))


def _dead(calls: Iterable[CallRow]) -> Iterator[CallRow]:
    """Calls of incarnations after which another one of the same attempt called again: their work was done twice."""
    given = list(calls)
    last: dict[AttemptKey, int] = {}
    for call in given:
        last[call.key] = max(last.get(call.key, 0), call.incarnation)
    return (call for call in given if call.incarnation < last[call.key])


def _unknown(call: CallRow) -> bool:
    known = isinstance(call.usage.prompt, int) and isinstance(call.usage.completion, int)
    return not known and not is_free(call)


def _tokens(call: CallRow) -> int:
    return _whole(call.usage.prompt) + _whole(call.usage.completion)


def _name(call: CallRow) -> str:
    key = call.key
    return f"{key.task_id}#{key.repeat}.{key.attempt}:{call.seq}"


def censored_of(sheet: Sheet, hidden: bool) -> Censored:
    """Draws that did not get all their attempts. With `hidden` who failed may not be told, so neither is who was owed more."""
    allowed = frozenset(sheet.terms.never_started_allowed)
    owed: tuple[str, ...] | NotMeasured = owed_attempts(sheet)
    if hidden and owed:
        owed = NotMeasured("withheld: it would tell which tasks failed")
    return Censored(
        cut=_tasks(sheet, was_cut),
        never_started=tuple(one for one in _tasks(sheet, _away) if one not in allowed),
        owed=owed,
        unnamed=sheet.declared_n if isinstance(sheet.declared_n, NotMeasured) else sheet.unnamed,
    )


def _away(draw: JudgedDraw) -> bool:
    return draw.exit == NEVER_STARTED


def _tasks(sheet: Sheet, holds: Callable[[JudgedDraw], bool]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(task for task, _, _ in sheet.placed(holds)))


def own_check(sheet: Sheet) -> OwnCheck | NotMeasured:
    """The agent's own account beside the recorded usage, over the attempts of all slices that have both."""
    if all(isinstance(row.own_account, NotMeasured) for row, _ in sheet.rows()):
        return NO_OWN
    told = [row for row in sheet.ledger.rows if not isinstance(row.own_account, NotMeasured)]
    pairs = [pair for row in told if (pair := _both(row)) is not None]
    own, wire = (sum(tokens[at] for _, tokens in pairs) for at in (0, 1))
    differing = tuple(dict.fromkeys(task for task, (one, other) in pairs if one != other))
    sources = {row.own_account.source for row in told if not isinstance(row.own_account, NotMeasured)}
    return OwnCheck(
        attempts=len(pairs),
        alone=len(told) - len(pairs),
        own=own,
        wire=wire,
        difference=own - wire,
        differing=tuple(sorted(differing)),
        sources=tuple(sorted(sources)),
    )


def _both(row: AttemptRow) -> tuple[str, tuple[int, int]] | None:
    """The agent's tokens and the recorded ones, where both know theirs."""
    account, usage = row.own_account, row.usage
    if isinstance(account, NotMeasured) or usage.complete is False:
        return None
    counts = (account.prompt, account.completion, usage.prompt, usage.completion)
    if any(isinstance(one, NotMeasured) for one in counts):
        return None
    prompt, completion, sent, answered = map(_whole, counts)
    return row.key.task_id, (prompt + completion, sent + answered)


def tokens_by_model(sheet: Sheet) -> Mapping[str, tuple[Part, ...]]:
    """The tokens of the solvable slice by the model that answered, else by the one asked for; "" where neither is known."""
    found: dict[str, dict[str, list[int]]] = {}
    solvable = {task for task, _, _ in sheet.placed()}
    if calls := [one for one in sheet.ledger.calls if one.purpose == "solve" and not is_free(one)]:
        for call in calls:
            if call.key.task_id in solvable:
                _add(found, _called(call.served_model, call.asked_model), call)
    else:
        for row in (row for draw in sheet.of_slice(Slice.SOLVABLE) for row in draw.tries):
            served = row.served_models[0] if len(row.served_models) == 1 else NotMeasured("several answered, or none")
            _add(found, _called(served, row.asked_model if not row.served_models else served), row)
    return {model: _as_parts(sums) for model, sums in sorted(found.items())}


def _called(served: str | NotMeasured, asked: str | NotMeasured) -> str:
    return served if isinstance(served, str) else asked if isinstance(asked, str) else ""


def _add(found: dict[str, dict[str, list[int]]], model: str, of: CallRow | AttemptRow) -> None:
    sums = found.setdefault(model, {name: [0, 0, 0] for name in PARTS})
    for name in PARTS:
        value = getattr(of.usage, name)
        known = isinstance(value, int)
        sums[name][0] += value if known else 0
        sums[name][1] += not known
        sums[name][2] += 1


def _as_parts(sums: Mapping[str, list[int]]) -> tuple[Part, ...]:
    return tuple(Part(name=name, known=k, unknown=u, attempts=n) for name, (k, u, n) in sums.items())
