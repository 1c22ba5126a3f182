"""Tool calls, whole or in pieces: put together by index, or by id where there is none; what is wrong with them is kept."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.wire.lawful import read_lawful
from denominator.wire.providers.loose import as_dict

CALLS_MAX = 1_000
PIECES_MAX = 4 * 2**20
"""Characters of arguments that are kept of one call."""


@dataclass(slots=True)
class Call:
    """One call. `legacy`: it came as `function_call`, which knows no id. `odd`: its arguments were no text."""

    id: str = ""
    name: str = ""
    names: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    legacy: bool = False
    odd: bool = False
    closing: bool = False

    @property
    def arguments(self) -> str:
        """The text of the arguments."""
        return "".join(self.pieces)

    def is_closed(self) -> bool:
        """Are the arguments a whole object already?"""
        # A piece that closes no bracket cannot have completed one; without this each piece would read all before it.
        return self.closing and isinstance(read_lawful(self.arguments).value, dict)

    def add(self, held: Mapping[str, Any]) -> None:
        """Takes a name and a piece of the arguments."""
        name, piece = held.get("name"), held.get("arguments")
        if isinstance(name, str) and name and len(self.names) < CALLS_MAX:
            self.names.append(name)
            self.name = self.name or name
        if isinstance(piece, str):
            if self.size <= PIECES_MAX:
                self.pieces.append(piece)
                self.size += len(piece)
                self.closing = piece.rstrip().endswith("}") if piece.strip() else self.closing
        elif piece is not None:
            self.odd = True


@dataclass(slots=True)
class Calls:
    """All calls of a message in the order in which they began, and which faults their pieces show."""

    made: list[Call] = field(default_factory=list)
    index_missing: bool = False
    index_collision: bool = False
    unreadable: bool = False
    _at: dict[int, Call] = field(default_factory=dict)
    _ids: dict[str, Call] = field(default_factory=dict)

    def take(self, message: Mapping[str, Any], *, streamed: bool) -> bool:
        """Takes the calls of a message or of a delta; says whether there were any."""
        listed, old = message.get("tool_calls"), message.get("function_call")
        if isinstance(listed, list):
            for entry in listed:
                self._take(as_dict(entry), streamed)
        elif listed:
            self.unreadable = True
        if isinstance(old, dict) and old:
            self._legacy(old)
        return bool(listed) or bool(old)

    def settle(self, tools: Container[str]) -> None:
        """A name that came in pieces is put together where that makes it one of the tools; one that is repeated is not."""
        for call in self.made:
            joined = "".join(call.names)
            if call.name not in tools and joined in tools:
                call.name = joined

    def _take(self, entry: Mapping[str, Any], streamed: bool) -> None:
        if not entry:
            self.unreadable = True
            return
        held = as_dict(entry.get("function"))
        given = entry.get("id")
        id_ = given if isinstance(given, str) else ""
        call = self._streamed(entry.get("index"), id_, held) if streamed else self._new(id_)
        call.id = call.id or id_
        call.add(held)

    def _streamed(self, index: Any, id_: str, held: Mapping[str, Any]) -> Call:
        """The call that a piece belongs to."""
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            self.index_missing = True
            if id_:
                return self._ids.get(id_) or self._new(id_)
            return self.made[-1] if self.made and not _begins(self.made[-1], held) else self._new(id_)
        there = self._at.get(index)
        if there is not None and (there.id and id_ != there.id if id_ else _begins(there, held)):
            self.index_collision = True
            there = None
        if there is None:
            there = self._at[index] = self._new(id_)
        return there

    def _new(self, id_: str) -> Call:
        call = Call(id=id_)
        if len(self.made) < CALLS_MAX:
            self.made.append(call)
        if id_:
            self._ids.setdefault(id_, call)
        return call

    def _legacy(self, held: Mapping[str, Any]) -> None:
        old = next((one for one in self.made if one.legacy), None)
        if old is None:
            old = self._new("")
            old.legacy = True
        old.add(held)


def _begins(there: Call, held: Mapping[str, Any]) -> bool:
    """Is this the beginning of another call: name and arguments again, after arguments that are whole?"""
    said = held.get("arguments")
    again = bool(held.get("name")) and isinstance(said, str) and bool(said.strip())
    return again and there.is_closed()
