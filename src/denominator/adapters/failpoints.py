"""Failpoints: named places where a test or the fault bench makes the process die, stall or see an error.

`DENOMINATOR_FAILPOINTS=name=action[:argument][@nth]` (several separated by commas). Actions: `kill` (SIGKILL of this process),
`exit` (leave at once with 70), `sleep:MS`, `enospc`, `eio`. `@3` acts at the third hit only. `NAMES` lists the points.
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

# Every point that is hit anywhere, and the damage that a death there stands for.
NAMES = (
    ("agent.before", "the agent was promised and never began"),
    ("agent.after", "the agent is done and paid for, nothing of it is written down"),
    ("patch.before_done", "the patch is a blob that no event names"),
    ("patch.after_done", "the patch is durable, nothing is applied"),
    ("apply.before_rename", "a staged tree that is not in its place yet"),
    ("apply.renamed", "the tree is in its place and the journal does not know"),
    ("apply.after_done", "applied and known, not graded"),
    ("verify.before", "the grading was announced and never began"),
    ("verify.after", "graded, and the verdict is not written down"),
    ("verify.recorded", "graded and closed, its scratch is left"),
    ("attempt.closed", "closed, its scratch is left, a retry may be owed"),
    ("retry.before_promise", "a retry is owed and not promised"),
    ("journal.before_commit", "a transaction that never happened"),
    ("journal.after_commit", "a transaction whose writer never heard that it is durable"),
)


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
    """Read the text of DENOMINATOR_FAILPOINTS. Raises InputError on an unknown name or action."""
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
        if name not in dict(NAMES):
            known = ", ".join(each for each, _ in NAMES)
            raise InputError(f"no failpoint is called {name!r}", where="DENOMINATOR_FAILPOINTS", fix=f"one of: {known}")
        traps[name] = Trap(action, int(argument or 0), int(nth or 0))
    return traps


def from_environment() -> NoFailpoints | ArmedFailpoints:
    """Failpoints as the environment says; none when it says nothing."""
    text = os.environ.get("DENOMINATOR_FAILPOINTS", "")
    return ArmedFailpoints(parse(text)) if text else NoFailpoints()
