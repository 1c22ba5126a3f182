"""The lock: run id, UTC time, sha256, once. What was locked is known by its sha256 from then on."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from denominator.envelopes.contracts.checks import LOCK_KEYS, problems_of
from denominator.errors import IncompleteError
from denominator.wire.canonical import digest
from denominator.wire.contracts import Contract, Document, word


class State(StrEnum):
    """How far a contract can be held to what it says."""

    UNLOCKED = "unlocked"
    UNPINNED = "unpinned"
    CHANGED = "changed"
    LOCKED = "locked"


def contract_digest(document: Document) -> str:
    """sha256 of the canonical JSON of everything but the `sha256` field itself: key order and spaces do not count.

    A number with a fraction, which no contract of ours holds, counts as a table with its text.
    """
    return digest(_exact({key: value for key, value in document.items() if key != "sha256"}))


def _exact(value: object) -> object:
    if isinstance(value, Decimal):
        return {"number": str(value)}
    if isinstance(value, dict):
        return {key: _exact(inner) for key, inner in value.items()}
    return [_exact(inner) for inner in value] if isinstance(value, list) else value


def state_of(document: Document) -> State:
    """Is it locked, and does its sha256 still fit? One that only says when it was locked is not pinned to its bytes."""
    contract = Contract(document)
    if not contract.locked_at:
        return State.UNLOCKED
    pinned = word(document.get("sha256")).removeprefix("sha256:")
    if not pinned:
        return State.UNPINNED
    if not contract.run_id:
        return State.UNLOCKED
    return State.LOCKED if pinned == contract_digest(document) else State.CHANGED


def lock(document: Document, run_id: str, at: str, where: str) -> dict[str, object]:
    """The locked document. Raises IncompleteError with every reason why it may not be locked."""
    problems = problems_of(document)
    if problems:
        reasons = "1 reason" if len(problems) == 1 else f"{len(problems)} reasons"
        raise IncompleteError(
            f"the contract was not locked: {reasons}",
            where=where,
            problems=problems,
            fix="repair the contract, then lock it again",
        )
    stamped = {**{k: v for k, v in document.items() if k not in LOCK_KEYS}, "run_id": run_id, "locked_at": at}
    return {**stamped, "sha256": contract_digest(stamped)}
