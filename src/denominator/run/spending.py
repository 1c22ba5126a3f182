"""Budgets before calls: what a run and each of its attempts have spent and reserved, and whether one more call fits.

A call fits when everything committed and its own worst case are within the cap; calls in flight are committed with their
worst case. Its result puts what it really used in that place. A call whose usage nobody knows keeps its worst case for
ever: unknown is never 0. A call whose worst case nobody knows takes all that is left of its attempt, so that it alone may
pass the cap. What a call that the provider failed holds is told apart: an attempt that only this keeps from its next call
has not spent its own budget (`FAILED_CALLS`). An attempt starts with its own budgets whole in every incarnation; what dead
ones spent, warm-ups and probes included, is money all the same and stays in the account of the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from denominator.readers.failed import failed_cause
from denominator.records.envelopes import Envelope, Number
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.wire.providers import claimed, is_free

TOKENS, CALLS, TOOL_CALLS, RUN_CAP = "tokens", "calls", "tool_calls", "run_cap"
FAILED_CALLS = "failed_calls"
"""The call would fit its attempt's own budgets, did calls that the provider failed not stand in them."""
LISTING = "listing"
BOUNDLESS = 1 << 62
"""More than anything; the room where no cap was declared is twice as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Sealed limits of one attempt, and of the run."""

    tokens: int = 2 * BOUNDLESS
    calls: int = 2 * BOUNDLESS
    tool_calls: int = 2 * BOUNDLESS
    run_tokens: int = 2 * BOUNDLESS


def caps_of(envelope: Envelope) -> Caps:
    """The caps that an envelope declares; a field that is not filled in caps nothing."""
    budget = envelope.budget
    return Caps(
        tokens=_cap(budget.tokens),
        calls=_cap(budget.calls),
        tool_calls=_cap(budget.tool_calls),
        run_tokens=_cap(envelope.run.run_cap_tokens),
    )


def _cap(value: Number) -> int:
    return value if isinstance(value, int) else 2 * BOUNDLESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one call takes from the budgets, or what an attempt has committed."""

    tokens: int = 0
    calls: int = 0
    tool_calls: int = 0

    def plus(self, other: Cost, sign: int = 1) -> Cost:
        """Both together; with -1 what is left when the other one is taken off."""
        return Cost(
            tokens=self.tokens + sign * other.tokens,
            calls=self.calls + sign * other.calls,
            tool_calls=self.tool_calls + sign * other.tool_calls,
        )


NOTHING = Cost()
Place = tuple[AttemptKey, int]


class Spending:
    """The accounts of one run (`ports.SpendGuard`): a fold of its call rows that goes on with every call.

    Not for several threads at once: the one that journals calls asks here too, which makes a grant atomic over attempts.
    """

    def __init__(self, caps: Caps, calls: Iterable[CallRow] = ()) -> None:
        self._caps = caps
        self._accounts: dict[Place, Cost] = {}
        self._failed: dict[Place, Cost] = {}
        self._held: dict[tuple[Place, int], tuple[Cost, Cost]] = {}
        self.run_tokens = 0
        self.capped = False
        for row in calls:
            self._commit(row, worst_case(row))
            self.settle(row)

    def ask(self, row: CallRow) -> CallRow:
        """Reserve the worst case of a call; its row with that, or refused with the name of the first budget without room.

        The attempt's own budgets come first: a call that fits neither them nor the run is the attempt's own ending. One
        that its own budgets refuse for nothing but failed calls of the provider is not; there the run's cap speaks next.
        """
        row = self._bounded(row)
        cost = worst_case(row)
        account = self._account(row)
        refused = self._refused(account, cost)
        if refused in (TOKENS, CALLS, TOOL_CALLS):
            failed = self._failed.get((row.key, row.incarnation), NOTHING)
            refused = self._refused(account.plus(failed, -1), cost) or FAILED_CALLS
        if refused:
            self.capped |= refused == RUN_CAP
            return replace(row, outcome="gave_up", sent=False, cap_state=refused)
        self._commit(row, cost)
        return row

    def _bounded(self, row: CallRow) -> CallRow:
        """A call that nobody can bound (a prompt that only the provider has) takes all that is left of its attempt."""
        if isinstance(row.reserved_tokens, int) or self._caps.tokens >= BOUNDLESS or row.purpose == LISTING:
            return row
        return replace(row, reserved_tokens=max(1, self._caps.tokens - self._account(row).tokens))

    def settle(self, row: CallRow) -> None:
        """Put what a call really used in the place of its reservation."""
        self.capped |= row.cap_state == RUN_CAP
        if row.outcome != "open":
            self._release(row)
            self._commit(row, used(row), failed_part(row))

    def tokens_of(self, key: AttemptKey, incarnation: int) -> int:
        """What one incarnation of an attempt has committed."""
        return self._accounts.get((key, incarnation), NOTHING).tokens

    def _refused(self, account: Cost, cost: Cost) -> str:
        caps = self._caps
        if account.tokens + cost.tokens > caps.tokens:
            return TOKENS
        if account.calls + cost.calls > caps.calls:
            return CALLS
        if account.tool_calls + cost.tool_calls > caps.tool_calls:
            return TOOL_CALLS
        return RUN_CAP if self.run_tokens + cost.tokens > caps.run_tokens else ""

    def _account(self, row: CallRow) -> Cost:
        return self._accounts.get((row.key, row.incarnation), NOTHING)

    def _commit(self, row: CallRow, cost: Cost, failed: Cost = NOTHING) -> None:
        self._move(row, cost, failed, 1)
        self._held[((row.key, row.incarnation), row.seq)] = cost, failed

    def _release(self, row: CallRow) -> None:
        held, failed = self._held.pop(((row.key, row.incarnation), row.seq), (NOTHING, NOTHING))
        self._move(row, held, failed, -1)

    def _move(self, row: CallRow, cost: Cost, failed: Cost, sign: int) -> None:
        place = row.key, row.incarnation
        self._accounts[place] = self._account(row).plus(cost, sign)
        self._failed[place] = self._failed.get(place, NOTHING).plus(failed, sign)
        self.run_tokens += sign * cost.tokens


def worst_case(row: CallRow) -> Cost:
    """What a call may take: its reserved tokens, itself unless it is a transport retry, and one tool call at least."""
    if row.sent is False or row.purpose == LISTING:
        return NOTHING
    tokens = row.reserved_tokens if isinstance(row.reserved_tokens, int) else BOUNDLESS
    return Cost(tokens=tokens, calls=int(row.retry_of == 0), tool_calls=1)


def used(row: CallRow) -> Cost:
    """What a call with a result took. What is not known of its tokens is as much as was reserved."""
    worst = worst_case(row)
    return Cost(tokens=_tokens(row, worst.tokens), calls=worst.calls, tool_calls=len(row.tool_calls))


def failed_part(row: CallRow) -> Cost:
    """What a call that the provider failed takes without having given it: itself, and the tokens that nobody counted."""
    if not failed_cause(row):
        return NOTHING
    whole = used(row)
    return replace(whole, tokens=whole.tokens - _tokens(row, 0))


def _tokens(row: CallRow, reserved: int) -> int:
    prompt, completion = row.usage.prompt, row.usage.completion
    if isinstance(prompt, int) and isinstance(completion, int):
        return prompt + completion
    known = sum(part for part in (prompt, completion) if isinstance(part, int))
    return 0 if is_free(row) else max(reserved, known, claimed(row))
