"""Failpoints: named places where a test or the fault bench makes the process die, stall or see an error.

`DENOMINATOR_FAILPOINTS=name=action[:argument][@nth]` (several separated by commas). Actions: `kill` (SIGKILL of this process),
`exit` (leave at once with 70), `sleep:MS`, `enospc`, `eio`. `@3` acts at the third hit only.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from dataclasses import dataclass, field
from threading import Lock

from denominator.errors import InputError

ACTIONS = ("kill", "exit", "sleep", "enospc", "eio")


class NoFailpoints:
    """Nothing ever happens."""

    def hit(self, name: str) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Trap:
    """What to do at one name."""

    action: str
    argument: int = 0
    nth: int = 0


@dataclass(slots=True)
class ArmedFailpoints:
    """Acts at the names that were armed."""

    traps: dict[str, Trap]
    seen: dict[str, int] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def hit(self, name: str) -> None:
        """Act when this name is armed and its turn has come."""
        trap = self.traps.get(name)
        if trap is None:
            return
        with self.lock:
            count = self.seen[name] = self.seen.get(name, 0) + 1
        if trap.nth in (0, count):
            act(trap)


def act(trap: Trap) -> None:
    """Carry out one action."""
    if trap.action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if trap.action == "exit":
        os._exit(70)
    if trap.action == "sleep":
        time.sleep(trap.argument / 1000)
    if trap.action in ("enospc", "eio"):
        code = errno.ENOSPC if trap.action == "enospc" else errno.EIO
        raise OSError(code, os.strerror(code), "failpoint")


def parse(text: str) -> dict[str, Trap]:
    """Read the text of DENOMINATOR_FAILPOINTS. Raises InputError on an unknown action."""
    traps = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, _, rest = item.partition("=")
        rest, _, nth = rest.partition("@")
        action, _, argument = rest.partition(":")
        if action not in ACTIONS or not (argument or "0").isdigit() or not (nth or "0").isdigit():
            raise InputError(
                f"not a failpoint: {item!r}",
                where="DENOMINATOR_FAILPOINTS",
                fix=f"actions: {', '.join(ACTIONS)}",
            )
        traps[name] = Trap(action, int(argument or 0), int(nth or 0))
    return traps


def from_environment() -> NoFailpoints | ArmedFailpoints:
    """Failpoints as the environment says; none when it says nothing."""
    text = os.environ.get("DENOMINATOR_FAILPOINTS", "")
    return ArmedFailpoints(parse(text)) if text else NoFailpoints()
