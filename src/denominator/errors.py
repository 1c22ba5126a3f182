"""What goes wrong, whose fault it is, and which exit code says so (DESIGN: one table for all verbs)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of every verb; when several hold the first of `Exit.worst` wins."""

    DONE = 0
    BLOCKED = 1
    USAGE = 2
    NOT_COMPARABLE = 3
    OPEN = 4
    UNKNOWN_STATE = 5
    INTERRUPTED = 130

    @staticmethod
    def worst(codes: Iterable[int]) -> Exit:
        """The code that wins: 130 > 5 > 2 > 4 > 3 > 1 > 0."""
        seen = set(codes)
        for code in (130, 5, 2, 4, 3, 1):
            if code in seen:
                return Exit(code)
        return Exit.DONE


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in one document: where it is, what is wrong, what to do."""

    where: str
    what: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" ({self.fix})" if self.fix else "")


class DenominatorError(Exception):
    """Base error: what happened, where, what to do next, and a code that `explain` knows."""

    code = "E001"
    exit = Exit.USAGE

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        fix: str = "",
        code: str | None = None,
        problems: Iterable[Problem] = (),
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.fix = fix
        self.problems = tuple(problems)
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        lines = [f"{head} [{self.code}]"]
        lines += [f"  - {problem}" for problem in self.problems]
        if self.fix:
            lines.append(f"  next: {self.fix}")
        return "\n".join(lines)


class InputError(DenominatorError):
    """A document or an argument cannot be read, parsed or used (exit 2)."""

    code = "E002"


class IncompleteError(DenominatorError):
    """A document lacks fields without which no number may be made (exit 2)."""

    code = "E003"


class BlockedError(DenominatorError):
    """A check refuses to go on (exit 1)."""

    code = "E004"
    exit = Exit.BLOCKED


class MachineError(DenominatorError):
    """This machine cannot do what was asked (exit 2)."""

    code = "E005"


class UnknownStateError(DenominatorError):
    """The disk shows a state that the journal cannot explain; nothing was touched (exit 5)."""

    code = "E006"
    exit = Exit.UNKNOWN_STATE


class OpenPromisesError(DenominatorError):
    """A run of our own still has promises open (exit 4)."""

    code = "E007"
    exit = Exit.OPEN


class InternalError(DenominatorError):
    """A bug of ours: the message asks for a report (exit 2)."""

    code = "E008"


class DuplicateError(DenominatorError):
    """The journal already holds this promise or checkpoint (a bug, or two runners at once)."""

    code = "E009"
    exit = Exit.UNKNOWN_STATE


class RunInUseError(DenominatorError):
    """Another living process is working on this run (exit 2)."""

    code = "E010"


class NotComparableError(DenominatorError):
    """Two results are not of the same conditions: no difference is made of them (exit 3)."""

    code = "E011"
    exit = Exit.NOT_COMPARABLE


class FencedError(DenominatorError):
    """A newer incarnation of this attempt has begun: what the older one does is no longer written down (exit 4)."""

    code = "E012"
    exit = Exit.OPEN


class InjectedError(OSError):
    """An error of the system that a failpoint made: whatever it ends was made to end, by nobody's fault."""
