"""What an import says about itself: which shape, why, which file in which role, what was put aside."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.readers.logs import LogRead
from denominator.records.rows import Ledger
from denominator.records.seals import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """One input file and the role that it was given."""

    name: str
    role: str
    why: str
    rows: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TornTail:
    """A last line that was cut while it was written; its bytes are kept aside (as base64), never parsed."""

    file: str
    offset: int
    length: int
    base64: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A bad line whose objects could be told apart; nothing is repaired unless a person asks for it."""

    file: str
    line: int
    offset: int
    recoverable: tuple[str, ...]


MOST_FILES = 12
"""Files that the text names; a result of 500 tasks is read from 1,000 of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How the files were read."""

    shape: str
    method: str
    why: str
    files: tuple[FileUse, ...]
    missing: tuple[str, ...] = ()
    deduplicated: int = 0
    physical_lines: int = 0
    torn: tuple[TornTail, ...] = ()
    repairable: tuple[Repair, ...] = ()
    safe_names: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """The report as text, one statement a line."""
        said = [f"shape: {self.shape} ({self.method}), because {self.why}"]
        said += [f"{use.name}: {use.role} ({use.why})" for use in self.files[:MOST_FILES]]
        rest = len(self.files) - MOST_FILES
        said += [f"and {rest} more {'file' if rest == 1 else 'files'}"] if rest > 0 else []
        said += [f"missing companion: {name}" for name in self.missing]
        said += [f"{self.deduplicated} byte-identical repeats count once"] if self.deduplicated else []
        said += [f"{t.file}: torn tail at byte {t.offset}, {t.length} bytes kept aside" for t in self.torn]
        said += [f"{r.file}:{r.line}: recoverable on request: {', '.join(r.recoverable)}" for r in self.repairable]
        return (*said, *self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A foreign result as a ledger, what its manifest declares, how it was read, and its text logs (head, tail, digest)."""

    ledger: Ledger
    terms: Terms
    report: Report
    logs: tuple[LogRead, ...] = ()
