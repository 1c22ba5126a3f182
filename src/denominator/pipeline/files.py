"""The files that a run leaves beside its journal when a process ends: ledger, calls, and what people were told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from denominator.pipeline.narration import probe_rows
from denominator.pipeline.world import OpenRun
from denominator.ports import Clock, Failpoints, Reporter
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.records.rows import Ledger
from denominator.wire.canonical import canonical
from denominator.wire.durable import write_file


@dataclass(slots=True)
class Said:
    """A reporter that passes everything on and remembers it, with the run that it was about ("" for all of them)."""

    to: Reporter
    clock: Clock
    lines: list[tuple[str, dict[str, Json]]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def expect(self, attempts: int) -> None:
        """How many attempts are planned: a matter of the display only."""
        self.to.expect(attempts)

    def line(self, text: str) -> None:
        """A line for people."""
        self.note("info", text)
        self.to.line(text)

    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None:
        """One attempt has ended or was stopped."""
        self.note("info", f"{key.task_id} repeat {key.repeat} attempt {key.attempt}: {word}", key.run_id)
        self.to.attempt(key, word, detail)

    def note(self, level: str, text: str, run_id: str = "") -> None:
        """Remember a line that others show."""
        with self.lock:
            self.lines.append((run_id, {"t": self.clock.wall(), "level": level, "text": text}))

    def lines_of(self, run_id: str) -> list[dict[str, Json]]:
        """What was said about one run, or about all of them."""
        return [line for about, line in self.lines if about in ("", run_id)]


@dataclass(frozen=True, slots=True)
class ReportPoints:
    """The failpoints of a file that a run leaves for people (`wire.durable.Steps`)."""

    failpoints: Failpoints

    def written(self) -> None:
        """Nothing of it can be seen yet."""

    def synced(self) -> None:
        """It has no name yet."""
        self.failpoints.hit("report.before_rename")

    def renamed(self) -> None:
        """Its name is not durable yet."""
        self.failpoints.hit("report.renamed")


def write_files(failpoints: Failpoints, run: OpenRun, ledger: Ledger, said: Iterable[Mapping[str, Json]]) -> None:
    """Write the ledger, the calls, the narration probe (where one was run) and the log, each whole or not at all.

    A resumed run adds to its log.
    """
    told = ReportPoints(failpoints)
    _write(run.folder.ledger, b"".join(canonical(row) + b"\n" for row in ledger.rows), told)
    _write(run.folder.calls, b"".join(canonical(row) + b"\n" for row in ledger.calls), told)
    if probed := probe_rows(run):
        _write(run.folder.narration, canonical([*probed]) + b"\n", told)
    log = run.folder.log
    before = log.read_bytes() if log.is_file() else b""
    _write(log, before + b"".join(canonical(dict(line)) + b"\n" for line in said), told)


def _write(path: Path, data: bytes, told: ReportPoints) -> None:
    """A file that already says this is left alone."""
    if not path.is_file() or path.read_bytes() != data:
        write_file(path, data, told=told)
