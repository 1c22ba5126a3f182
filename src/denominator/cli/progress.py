"""Live progress on stderr: a bar for people at a terminal, one line an attempt elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any

from denominator.cli.output import clean, interactive, note
from denominator.records.events import Json
from denominator.records.keys import AttemptKey


class LineReporter:
    """One line an attempt. Endings only: no rate is said before the gate has spoken."""

    def __init__(self, total: int = 0, quiet: bool = False) -> None:
        self.total, self.quiet, self.done, self.lock = total, quiet, 0, Lock()

    def expect(self, attempts: int) -> None:
        """How many attempts are planned."""
        self.total = attempts

    def stop(self) -> None:
        """Nothing is left on the screen."""

    def line(self, text: str) -> None:
        """A line for people."""
        if not self.quiet:
            note(text)

    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None:
        """One attempt has ended or was stopped."""
        with self.lock:
            self.done += word != "stopped"
            place = f"[{self.done}/{self.total}] " if self.total else ""
            extra = _which(key)
            arm = f"{detail['arm']} " if detail.get("arm") else ""
            self.line(f"{place}{arm}{key.task_id}{extra}: {word}")


class BarReporter(LineReporter):
    """A progress bar (rich is loaded only here)."""

    def __init__(self, total: int) -> None:
        super().__init__(total)
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        self.bar: Any = Progress(*columns, transient=True, console=Console(stderr=True))
        self.task = self.bar.add_task("attempts", total=total)
        self.bar.start()

    def expect(self, attempts: int) -> None:
        """How long the bar is."""
        self.bar.update(self.task, total=attempts)

    def line(self, text: str) -> None:
        """A line above the bar."""
        self.bar.console.print(clean(text), markup=False, highlight=False)

    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None:
        """Advance the bar."""
        if word != "stopped":
            text = clean(f"{detail.get('arm', '')} {key.task_id}{_which(key)}: {word}")
            self.bar.update(self.task, advance=1, description=text[:48])

    def stop(self) -> None:
        """Take the bar away."""
        self.bar.stop()


def _which(key: AttemptKey) -> str:
    """What there is to say of an attempt that is not the first one of the first repeat."""
    from denominator.pipeline.narration import ASIDE_REPEAT, is_probe

    if is_probe(key):
        return "  narration probe"
    if key.repeat == ASIDE_REPEAT:
        return "  warm-up"
    repeat = f"  repeat {key.repeat}" if key.repeat > 1 else ""
    return f"{repeat}  attempt {key.attempt}" if key.attempt > 1 else repeat


def make_reporter(total: int, quiet: bool = False) -> LineReporter:
    """The reporter that fits this terminal."""
    if quiet or not interactive():
        return LineReporter(total, quiet)
    return BarReporter(total)
