"""What an adapter of `ports.Journal` tells the conformance suite about itself, and helpers for its checks."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from uuid import uuid4

from denominator.ports import Failpoints, Journal
from denominator.records.events import Draft, Json
from denominator.records.keys import AttemptKey


class Quiet:
    """`ports.Failpoints` at which nothing happens."""

    armed: tuple[str, ...] = ()

    def hit(self, name: str) -> None:
        """Do nothing."""


class FailsOnce:
    """`ports.Failpoints` with one error of the system at the first hit of one name."""

    def __init__(self, name: str, code: int) -> None:
        self.armed = (f"{name}={errno.errorcode[code].lower()}@1",)
        self._name, self._code = name, code

    def hit(self, name: str) -> None:
        """Raise OSError once."""
        if name == self._name:
            self._name = ""
            raise OSError(self._code, os.strerror(self._code), name)


class Opens(Protocol):
    """Opens a journal of a run; with `create` begins it."""

    def __call__(self, run_id: str, failpoints: Failpoints, *, create: bool = False) -> Journal: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalBench:
    """One kind of journal under test.

    `opens` gives a handle of its own each time, as another process would have. `source` is Python that defines
    `opens(run_id, failpoints)` in a fresh process. `attacks` change or remove what stands in a run behind the journal's
    back, and each must raise. `tampers` changes the payload of one event so that only the chain can tell.
    """

    opens: Opens
    source: str
    attacks: Sequence[Callable[[str], None]] = ()
    tampers: Callable[[str, int], None] | None = None
    opened: list[Journal] = field(default_factory=list)

    def begin(self) -> Journal:
        """A new journal of a run of its own."""
        return self._kept(self.opens(f"run-{uuid4().hex[:12]}", Quiet(), create=True))

    def again(self, journal: Journal, failpoints: Failpoints | None = None) -> Journal:
        """Another handle on the same run."""
        return self._kept(self.opens(journal.run_id, failpoints or Quiet()))

    def process(self, journal: Journal, code: str) -> subprocess.Popen[bytes]:
        """A process that runs `code` with `run_id`, `opens`, `draft`, `key` and `journal` at hand; it reads and prints."""
        head = f"import sys; sys.path[:0] = {sys.path!r}\n{PRELUDE}\n{self.source}\nrun_id = {journal.run_id!r}\n"
        pipes = {"stdout": subprocess.PIPE, "stdin": subprocess.PIPE}
        return subprocess.Popen([sys.executable, "-c", head + code], **pipes)  # type: ignore[call-overload,no-any-return]

    def close(self) -> None:
        """Close every handle that was opened."""
        while self.opened:
            self.opened.pop().close()

    def _kept(self, journal: Journal) -> Journal:
        self.opened.append(journal)
        return journal


Check = Callable[[JournalBench], list[str]]
PRELUDE = """
import os, time
from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import ArmedFailpoints, NoFailpoints, parse
from denominator.errors import *
from denominator.records.rows import CallRow
from denominator.testing.journal_bench import draft, key_of
def say(*words):
    print(*words, flush=True)
"""


def key_of(journal: Journal, task: str = "t", attempt: int = 1) -> AttemptKey:
    """An attempt of the journal's run."""
    return AttemptKey(journal.run_id, task, 1, attempt)


def draft(kind: str, key: AttemptKey | None, incarnation: int = 1, checkpoint: str = "", **payload: Json) -> Draft:
    """An event to append."""
    return Draft(
        kind=kind, phase="run", writer="harness", key=key, incarnation=incarnation, checkpoint=checkpoint, payload=payload
    )  # fmt: skip


def refused(error: type[Exception], act: Callable[[], object], what: str) -> list[str]:
    """A breach unless `act` raises this error."""
    try:
        act()
    except error:
        return []
    except Exception as other:
        return [f"{what}: {type(other).__name__} instead of {error.__name__}: {other}"]
    return [f"{what}: was let pass"]


def differs(what: str, found: object, wanted: object) -> list[str]:
    """A breach unless both are equal."""
    return [] if found == wanted else [f"{what}: {found!r:.300} instead of {wanted!r:.300}"]
