"""Calls of Python code: one process of the solution that answers JSON lines."""

from __future__ import annotations

import json
import os
import re
import time

from .door import TIMEOUT_S, door
from .stubs import Stubs
from .values import Broken, Handle, Raised, decode, encode, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_.]*\Z")
_SHAPES = (["id", "ok"], ["args", "id", "ok"], ["id", "raised"], ["id", "refused"], ["broken", "id"])


class _Raises:
    def __init__(self, target: str, message: str) -> None:
        self.target, self.message = target, message


def raises(target: str, message: str = "") -> _Raises:
    """An outcome for `Session.stub`: raise `target` (a built-in name, or `pkg.mod:Class`)."""
    return _Raises(target, message)


def call(target: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call `pkg.mod:func` in a fresh process and return its result; coroutines are awaited."""
    with Session() as session:
        return session.call(target, *args, **kwargs)


def call_mut(target: str, /, *args: Any) -> tuple[Any, list[Any]]:
    """Like `call`, but return `(result, args_after)` to show what the solution did to its arguments."""
    with Session() as session:
        return session.call_mut(target, *args)


class Session:
    """One process that keeps its state between requests; a context manager. `timeout` is seconds for each request."""

    def __init__(self, timeout: float = TIMEOUT_S) -> None:
        self._timeout = timeout
        self._line = door().open({"kind": "serve"})
        self._stubs: Stubs | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process and everything it started in its group; safe to call twice."""
        self._line.close()

    def call(self, target: str, /, *args: Any, **kwargs: Any) -> Any:
        return self._ask("call", _target(target), args, kwargs)["ok"]

    def call_mut(self, target: str, /, *args: Any) -> tuple[Any, list[Any]]:
        answer = self._ask("call_mut", _target(target), args, {})
        if len(answer.get("args", ())) != len(args):
            self._fail("the answer lacks the arguments")
        return answer["ok"], answer["args"]

    def new(self, target: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call `target` (a class or a function), keep the result over there, return a handle to it."""
        return self._ask("new", _target(target), args, kwargs)["ok"]

    def method(self, handle: Handle, name: str, /, *args: Any, **kwargs: Any) -> Any:
        return self._ask("method", [handle.number, name], args, kwargs)["ok"]

    def get(self, handle: Handle, name: str, /) -> Any:
        return self._ask("get", [handle.number, name], (), {})["ok"]

    def stub(self, *outcomes: Any, delay_s: float = 0.0, coroutine: bool = False, group: str = "") -> Any:
        """A callable over there with a script: values or `raises(...)`, one for each call; the last one repeats."""
        script = [
            ["raise", o.target, o.message] if isinstance(o, _Raises) else ["value", o, ""] for o in outcomes or (None,)
        ]
        handle: Handle = self._ask("stub", [delay_s, coroutine], (), {})["ok"]
        self._stubs = self._stubs or Stubs()
        self._stubs.add(handle.number, script, delay_s, group)
        return handle

    def stub_log(self, handle: Handle) -> Any:
        """`{"calls": [[args, kwargs]...], "finished": n, "cancelled": n, "peak": most of its group at once}`."""
        if not self._line.is_open or self._stubs is None:
            raise Broken("the session is closed" if self._stubs else "the session has no stub")
        self._heed()
        return self._stubs.log(handle.number)

    def _heed(self) -> None:
        """Keep what stubs have said without being waited for; anything else came before it was asked."""
        while (line := self._line.one(0.0)) is not None:
            if not self._is_event(line):
                self._fail("the solution answered before it was asked")

    def _is_event(self, line: bytes) -> bool:
        try:
            return self._stubs is not None and self._stubs.take(line)
        except (ValueError, RecursionError) as error:
            self._fail(f"what a stub says is malformed: {str(error)[:200]}")

    def _wait(self, deadline: float) -> bytes:
        """The line that answers; stubs are served meanwhile."""
        if self._stubs is None:
            return self._line.line(deadline)
        while True:
            for outcome in self._stubs.due():
                self._line.send(json.dumps(outcome).encode() + b"\n", deadline)
            line = self._line.one(min(deadline, self._stubs.next_due()))
            if line is None:
                if time.monotonic() >= deadline:
                    self._fail("timeout: no answer")
            elif not self._is_event(line):
                self._heed()
                return line

    def _ask(self, op: str, target: Any, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        if not self._line.is_open:
            raise Broken("the session is closed")
        if self._stubs is not None:
            self._heed()
        elif not self._line.is_quiet():
            self._fail("the solution's process died, or answered before it was asked")
        # Nobody can answer a request that he has not read: its number is not to be guessed.
        number = int.from_bytes(os.urandom(6), "big")
        request = {
            "id": number,
            "op": op,
            "target": target,
            "args": [encode(a) for a in args],
            "kwargs": {k: encode(v) for k, v in kwargs.items()},
        }
        deadline = time.monotonic() + self._timeout
        self._line.send(json.dumps(request).encode() + b"\n", deadline)
        return self._answer(self._wait(deadline), number)

    def _answer(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            answer = read_json(line)
        except (ValueError, RecursionError):
            self._fail("the answer is not JSON")
        if type(answer) is not dict or sorted(answer) not in _SHAPES:
            self._fail("the answer has no form of an answer")
        if type(answer["id"]) is not int or answer["id"] != number:
            self._fail("the answer belongs to no request")
        for word in ("refused", "broken"):
            if word in answer:
                self._fail(f"{word}: {str(answer[word])[:500]}")
        if "raised" in answer:
            self._raise(answer["raised"])
        try:
            args = answer.get("args", [])
            if type(args) is not list:
                raise TypeError
            return {"ok": decode(answer["ok"]), "args": [decode(arg) for arg in args]}
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            self._fail("the answer is not plain data")

    def _raise(self, raised: Any) -> NoReturn:
        if (
            type(raised) is not list
            or len(raised) != 3
            or type(raised[2]) is not list
            or not all(type(t) is str for t in [*raised[:2], *raised[2]])
        ):
            self._fail("the report of an exception is malformed")
        raise Raised(*raised)

    def _fail(self, why: str) -> NoReturn:
        self._line.fail(why)


def _target(text: str) -> str:
    if not _NAME.match(text):
        raise ValueError(f"a target is written pkg.mod:name, not {text!r}")
    return text
