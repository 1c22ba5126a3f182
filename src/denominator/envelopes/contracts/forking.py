"""A fork: the only way to drop a task. It is a new study, not locked, and says where it comes from and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.envelopes.contracts.checks import LOCK_KEYS
from denominator.envelopes.contracts.locking import State, state_of
from denominator.errors import InputError, Problem
from denominator.records.values import is_placeholder
from denominator.wire.contracts import Contract, Document

REASONS = {
    State.UNLOCKED: "the contract is not locked: edit it, no fork is needed",
    State.UNPINNED: "the contract carries no sha256: nothing says what was locked",
    State.CHANGED: "the contract does not match its sha256: it was changed after the lock",
}


def fork(document: Document, drop: Sequence[str], why: str, where: str) -> dict[str, object]:
    """The new study. Raises InputError with every reason why there is none."""
    contract = Contract(document)
    problems = [*_refusals(contract, drop, why)]
    if (state := state_of(document)) is not State.LOCKED:
        problems.insert(0, Problem(where, REASONS[state]))
    if problems:
        raise InputError("no fork was made", where=where, problems=problems, fix="denominator contract fork --help")
    kept = {key: value for key, value in document.items() if key not in LOCK_KEYS}
    gone = frozenset(drop)
    kept["task_ids"] = [one for one in contract.task_ids if one not in gone]
    before = document.get("dropped")
    record = {"task_ids": sorted(gone), "why": why.strip(), "from": document["sha256"]}
    kept["dropped"] = [*(before if isinstance(before, list) else []), record]
    kept["forked_from"] = document["sha256"]
    return kept


def _refusals(contract: Contract, drop: Sequence[str], why: str) -> Iterable[Problem]:
    if is_placeholder(why):
        yield Problem("--why", "is empty", "a task that is dropped without a reason is dropped for its score")
    if not drop:
        yield Problem("--drop", "no task is named")
    unknown = sorted({one for one in drop if one not in contract.task_ids})
    if unknown:
        yield Problem("--drop", f"not in the contract: {', '.join(unknown[:20])}")
    if drop and contract.task_ids and set(contract.task_ids) <= set(drop):
        yield Problem("--drop", "no task would be left")
