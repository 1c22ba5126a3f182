"""Calls and results of one conversation as they are met, results matched to calls by id."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from denominator.readers.tools.call import NO_RESULT, ToolCall, tool_call
from denominator.readers.tools.results import joined_digest
from denominator.records.rows import Text


@dataclass(slots=True)
class Entry:
    """A call, its id in the conversation, its turn (in the `batch` that first showed it), and digests of what came back."""

    id: str
    call: ToolCall
    turn: int
    results: list[Text] = field(default_factory=list)
    batch: int = 0

    def done(self, index: int, turn: int, thread: int) -> ToolCall:
        """The call in its place among all calls."""
        result = joined_digest(self.results) if self.results else NO_RESULT
        return replace(self.call, index=index, turn=turn, thread=thread, result_sha256=result)


@dataclass(slots=True)
class Batch:
    """The calls of the newest turn that have one id; those before `answered` have their results."""

    turn: int
    entries: list[Entry] = field(default_factory=list)
    answered: int = 0

    def next(self) -> Entry:
        """The first call without a result; the last one where there is none."""
        while self.answered < len(self.entries) and self.entries[self.answered].results:
            self.answered += 1
        return self.entries[min(self.answered, len(self.entries) - 1)]


class Conversation:
    """Grows by one message after the other. Nothing in it is judged."""

    def __init__(self, entries: list[Entry] | None = None) -> None:
        self.entries: list[Entry] = []
        self._newest: dict[str, Batch] = {}
        for entry in entries or ():
            self._add(replace(entry, results=list(entry.results)))
        self._turn = self.entries[-1].turn if self.entries else 0

    def next_turn(self) -> None:
        """What follows belongs to a new step of the agent."""
        self._turn += 1

    def call(self, id_: Any, name: Any, arguments: Any) -> None:
        """A call; without a usable name it is one of a tool that nobody names."""
        text = name if isinstance(name, str) and name else "?"
        self._add(Entry(as_id(id_), tool_call(0, text, arguments), self._turn))

    def result(self, id_: Any, digest: Text) -> bool:
        """A result, for the first unanswered call of the newest turn with this id; a further one joins the last call's.

        False when no call has this id.
        """
        batch = self._newest.get(as_id(id_))
        if batch is not None:
            batch.next().results.append(digest)
        return batch is not None

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        batch = self._newest.get(entry.id)
        if batch is None or batch.turn != entry.turn:
            batch = self._newest[entry.id] = Batch(entry.turn)
        batch.entries.append(entry)


def as_id(value: Any) -> str:
    """The id as text; one that is missing or odd is the empty id, by which calls are matched in their order."""
    return value if isinstance(value, str) else ""
