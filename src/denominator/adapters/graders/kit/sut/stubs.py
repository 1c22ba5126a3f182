"""What stubs of a session were asked: kept on the tests' side, and so is what they answer.

A stub on the solution's side says `enter` with its arguments, waits its time, says `leave`, and only then gets its outcome.
So no call can be taken back, and no outcome had without one.
"""

from __future__ import annotations

import time

from .values import decode, encode, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BYTES_MAX = 8_000_000


class _Stub:
    def __init__(self, script: list[Any], delay_s: float, crowd: dict[str, int]) -> None:
        self.script, self.delay_s, self.crowd = script, delay_s, crowd
        self.calls: list[Any] = []
        self.finished = self.cancelled = 0


class Stubs:
    """The stubs of one session by number. Events that no stub says raise ValueError."""

    def __init__(self) -> None:
        self.known: dict[int, _Stub] = {}
        self.groups: dict[str, dict[str, int]] = {}
        self.open: dict[int, tuple[_Stub, float, Any]] = {}
        self.leaving: dict[int, float] = {}
        self.room = BYTES_MAX

    def add(self, number: int, script: list[Any], delay_s: float, group: str) -> None:
        crowd = self.groups.setdefault(group, {"now": 0, "peak": 0})
        self.known[number] = _Stub(script, delay_s, crowd)

    def log(self, number: int) -> dict[str, Any]:
        stub = self.known[number]
        return {
            "calls": [list(call) for call in stub.calls],
            "finished": stub.finished,
            "cancelled": stub.cancelled,
            "peak": stub.crowd["peak"],
        }

    def take(self, line: bytes) -> bool:
        """Is this line an event? Then it is kept. Raises ValueError where it is malformed or one too many."""
        event = read_json(line)
        if type(event) is not dict or "stub" not in event:
            return False
        self.room -= len(line)
        number, call, word = event["stub"], event.get("call"), event.get("word")
        if self.room < 0 or type(number) is not int or type(call) is not int or number not in self.known:
            raise ValueError("an event of no stub")
        if word == "enter" and call not in self.open:
            self._enter(self.known[number], call, event)
        elif word == "leave" and call in self.open:
            self.leaving[call] = self.open[call][1]
        elif word == "cancel":
            self._cancel(call)
        else:
            raise ValueError("an event out of order")
        return True

    def _enter(self, stub: _Stub, call: int, event: dict[str, Any]) -> None:
        args, named = event.get("args"), event.get("kwargs")
        if type(args) is not list or type(named) is not dict:
            raise ValueError("a call without arguments")
        try:
            stub.calls.append([[decode(arg) for arg in args], {key: decode(value) for key, value in named.items()}])
        except (TypeError, IndexError, KeyError):
            raise ValueError("arguments that are not plain data") from None
        outcome = stub.script[min(len(stub.calls), len(stub.script)) - 1]
        self.open[call] = stub, time.monotonic() + stub.delay_s, outcome
        stub.crowd["now"] += 1
        stub.crowd["peak"] = max(stub.crowd["peak"], stub.crowd["now"])

    def _cancel(self, call: int) -> None:
        """One that has its outcome already is not cancelled any more."""
        if call in self.open:
            stub = self.open.pop(call)[0]
            self.leaving.pop(call, None)
            stub.crowd["now"] -= 1
            stub.cancelled += 1

    def due(self) -> list[dict[str, Any]]:
        """Outcomes of the calls whose time is over."""
        now, answers = time.monotonic(), []
        for call in [call for call, at in self.leaving.items() if at <= now]:
            del self.leaving[call]
            stub, _, (kind, value, message) = self.open.pop(call)
            stub.crowd["now"] -= 1
            stub.finished += 1
            answers.append({"call": call, "outcome": [kind, encode(value), message]})
        return answers

    def next_due(self) -> float:
        """When the next outcome is due, as a monotonic time."""
        return min(self.leaving.values(), default=float("inf"))
