"""What a coordinator and a worker say to each other through an engine: plain text, and nothing secret in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from denominator.errors import DenominatorError, Exit
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads


class Word(StrEnum):
    """How a worker's turn at an attempt ended. Whether the attempt itself has ended, only the journal says."""

    CLOSED = "closed"
    HELD = "held"
    STOPPED = "stopped"
    FENCED = "fenced"
    NO_JOURNAL = "no_journal"
    UNKNOWN_STATE = "unknown_state"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One attempt for a worker. `since` is the event that began the coordinator's process; `version` is its own."""

    key: AttemptKey
    slot: int
    waited_ms: int
    since: int
    claim_ms: int
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a worker on `host` says. An error has `what`, `where`, `fix`, `code`, `exit`; an unknown state has `payload`."""

    word: Word
    what: str = ""
    where: str = ""
    fix: str = ""
    code: str = ""
    exit: int = 0
    payload: Mapping[str, Json] = field(default_factory=dict)
    host: str = ""


class WorkerError(DenominatorError):
    """What a worker met that no attempt may swallow; exit and code are those of what it met."""

    def __init__(self, answer: Answer) -> None:
        where = ": ".join(filter(None, (f"worker on {answer.host}" if answer.host else "", answer.where)))
        super().__init__(answer.what, where=where, fix=answer.fix, code=answer.code or None)
        self.exit = Exit(answer.exit)


def of_error(error: DenominatorError) -> Answer:
    """An error as an answer."""
    problems = "".join(f"\n  - {problem}" for problem in error.problems)
    return Answer(
        word=Word.ERROR,
        what=error.what + problems,
        where=error.where,
        fix=error.fix,
        code=error.code,
        exit=int(error.exit),
    )


def written(said: Order | Answer) -> str:
    """One line of text."""
    return canonical(said).decode()


def read_order(text: str) -> Order:
    """Read an order. Raises InputError."""
    return from_json(Order, loads(text, "order"), "order")


def read_answer(text: str) -> Answer:
    """Read an answer. Raises InputError."""
    return from_json(Answer, loads(text, "answer"), "answer")
