"""The shape of a fault kind: what has to be armed, what happens while the runner stands at its point, what it needs.

A kind is one file in `faults/`, and acts on a `Held`: whatever is benched, stopped at the point. So a kind knows neither
our runner nor anybody else's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from denominator.records.faults import Fault, FaultKind

OURS, COMMAND = "ours", "command"


class Held(Protocol):
    """Something that is benched, standing at its point; every call leaves it dead or lets it go on."""

    def kill(self) -> None:
        """SIGKILL to every process of it."""

    def ask_to_end(self) -> None:
        """SIGTERM, then let it go on."""

    def fill_disk(self) -> None:
        """Leave no room on the disk it writes to, then let it go on."""

    def squeeze_memory(self) -> None:
        """Take its memory away, then let it go on."""

    def step_clock(self, seconds: int) -> None:
        """Step the wall clock it sees, then let it go on."""

    def pause(self, ms: int) -> None:
        """Let it stand for a while, then go on."""

    def go_on(self) -> None:
        """Let it go on as if nothing had been."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What can be done here to what: whose runner, and why not (a text, "" when it can) for what a kind may need."""

    subject: str
    disk: str = ""
    memory: str = ""
    clock: str = ""
    gateway: str = ""
    exit: str = ""


def _possible(_setting: Setting, _fault: Fault) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of fault. `made` says how, for people; `act` happens at the point; `why_not` is "" where it can be made here.

    `failpoint` is the action that our own runner carries out itself at the point, after it was seen there ("": none).
    `gateway` is the kind of fault that the gateway makes in the provider's place ("": none).
    """

    kind: FaultKind
    made: str
    act: Callable[[Held, str], None]
    why_not: Callable[[Setting, Fault], str] = field(default=_possible)
    failpoint: str = ""
    gateway: str = ""
