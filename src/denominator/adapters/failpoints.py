"""Failpoints: named places where a test or the fault bench makes the process die, stall or see an error.

`DENOMINATOR_FAILPOINTS=name=action[:argument][@nth]` (several separated by commas or lines; `@FILE` reads them from a file,
in which `#` begins a comment). Actions: `kill` (SIGKILL of this process), `exit` (leave at once with 70), `sigterm`, `stop`
(SIGSTOP, until somebody sends SIGCONT), `sleep:MS`, `enospc`, `eio`. `@3` acts at the third hit only, several traps may
stand at one name. `catalog/failpoints.py` lists the names; docs/failpoints.md says what each stands for.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, get_ident, local

from denominator.catalog.failpoints import AFTER_COMMIT, BEFORE_COMMIT, FAILPOINTS, by_name, inside
from denominator.errors import InjectedError, InputError

VARIABLE = "DENOMINATOR_FAILPOINTS"
SIGNALS = {"kill": signal.SIGKILL, "sigterm": signal.SIGTERM, "stop": getattr(signal, "SIGSTOP", signal.SIGTERM)}
ERRORS = {"enospc": errno.ENOSPC, "eio": errno.EIO}
ACTIONS = (*SIGNALS, "exit", "sleep", *ERRORS)
ITEM = re.compile(r"(?P<name>[a-z_.]+)=(?P<action>[a-z]+)(:(?P<argument>\d+))?(@(?P<nth>\d+))?", re.ASCII)
OPENERS = frozenset(point.opener for point in FAILPOINTS if point.opener)
EXIT_CODE = 70


class NoFailpoints:
    """Nothing ever happens."""

    armed: tuple[str, ...] = ()

    def hit(self, name: str) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Trap:
    """What to do at one name: an action with its argument, at the nth hit only (0: at each)."""

    name: str
    action: str
    argument: int = 0
    nth: int = 0

    def __str__(self) -> str:
        argument, nth = f":{self.argument}" if self.argument else "", f"@{self.nth}" if self.nth else ""
        return f"{self.name}={self.action}{argument}{nth}"

    def act(self) -> None:
        """Carry the action out. Raises InjectedError for an action that is an error of the system."""
        if self.action == "stop":
            # To this thread: one sent to the process may be taken by another thread while this one runs on past its point.
            signal.pthread_kill(get_ident(), SIGNALS[self.action])
        elif self.action in SIGNALS:
            os.kill(os.getpid(), SIGNALS[self.action])
        if self.action == "exit":
            os._exit(EXIT_CODE)
        if self.action == "sleep":
            time.sleep(self.argument / 1000)
        if self.action in ERRORS:
            code = ERRORS[self.action]
            raise InjectedError(code, os.strerror(code), f"failpoint {self.name}")


@dataclass(slots=True)
class ArmedFailpoints:
    """Acts at the names that were armed."""

    traps: tuple[Trap, ...]
    seen: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)
    mine: local = field(default_factory=local)

    @property
    def armed(self) -> tuple[str, ...]:
        """What is armed, in words that arm it again."""
        return tuple(map(str, self.traps))

    def hit(self, name: str) -> None:
        """Act when this name, or a point inside the commit that it is part of, is armed and its turn has come."""
        for point in (name, *self._inside(name)):
            wanted = [trap for trap in self.traps if trap.name == point]
            if wanted:
                with self.lock:
                    self.seen[point] += 1
                    count = self.seen[point]
                for trap in wanted:
                    if trap.nth in (0, count):
                        self.mine.opened = [] if trap.action in ERRORS else getattr(self.mine, "opened", [])
                        trap.act()

    def _inside(self, name: str) -> list[str]:
        """Points inside a commit that are hit now: what was opened last in this thread says which commit it is."""
        opened: list[str] = getattr(self.mine, "opened", [])
        if name in OPENERS:
            # Calls are asked and answered in one commit, so several may be open.
            self.mine.opened = [*opened, name]
            return []
        if name != BEFORE_COMMIT:
            self.mine.opened = []
        return [point for opener in opened if name in (BEFORE_COMMIT, AFTER_COMMIT) for point in inside(opener, name)]


def parse(text: str, where: str = VARIABLE) -> tuple[Trap, ...]:
    """Read traps. Raises InputError on an unknown name or action."""
    return tuple(_trap(item, where) for item in _items(text))


def _items(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from filter(None, (part.strip() for part in line.partition("#")[0].split(",")))


def _trap(item: str, where: str) -> Trap:
    found = ITEM.fullmatch(item)
    if found is None or found["action"] not in ACTIONS:
        fix = f"name=action[:argument][@nth]; actions: {', '.join(ACTIONS)}"
        raise InputError(f"not a failpoint: {item!r}", where=where, fix=fix)
    point = by_name().get(found["name"])
    if point is None:
        known = ", ".join(by_name())
        raise InputError(f"no failpoint is called {found['name']!r}", where=where, fix=f"one of: {known}")
    return Trap(point.name, found["action"], int(found["argument"] or 0), int(found["nth"] or 0))


def from_environment(environ: Mapping[str, str] | None = None) -> NoFailpoints | ArmedFailpoints:
    """Failpoints as the environment says; none when it says nothing."""
    text = (os.environ if environ is None else environ).get(VARIABLE, "").strip()
    where = VARIABLE
    if text.startswith("@"):
        where = text[1:]
        try:
            text = Path(where).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"cannot be read: {error}", where=where, fix=f"{VARIABLE}=@FILE names a text file"
            ) from None
    traps = parse(text, where)
    return ArmedFailpoints(traps) if traps else NoFailpoints()
