"""Live progress on stderr: a bar for people at a terminal, one line an attempt elsewhere."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from threading import RLock

from denominator.cli.output import clean, draw, interactive, note
from denominator.records.events import Json
from denominator.records.keys import AttemptKey

ERASE = "\r\x1b[K"
"""To the beginning of the line, and nothing to the right of it."""
BAR_CHARS, NAME_CHARS = 24, 48


class LineReporter:
    """One line an attempt. Endings only: no rate is said before the gate has spoken."""

    def __init__(self, total: int = 0, quiet: bool = False) -> None:
        self.total, self.quiet, self.done, self.lock = total, quiet, 0, RLock()

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
    """One line at the foot of a terminal, drawn again whenever an attempt ends."""

    def __init__(self, total: int) -> None:
        super().__init__(total)
        self.began, self.last = time.monotonic(), ""
        self._draw()

    def expect(self, attempts: int) -> None:
        """How long the bar is."""
        with self.lock:
            self.total = attempts
            self._draw()

    def line(self, text: str) -> None:
        """A line above the bar."""
        with self.lock:
            draw(ERASE)
            note(text)
            self._draw()

    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None:
        """Advance the bar."""
        if word != "stopped":
            with self.lock:
                self.done += 1
                self.last = clean(f"{detail.get('arm', '')} {key.task_id}{_which(key)}: {word}").strip()[:NAME_CHARS]
                self._draw()

    def stop(self) -> None:
        """Take the bar away."""
        with self.lock:
            draw(ERASE)

    def _draw(self) -> None:
        text = bar_text(self.done, self.total, int(time.monotonic() - self.began), self.last)
        # A line as wide as the terminal would wrap, and only its second half could be taken away.
        draw(ERASE + text[: max(shutil.get_terminal_size().columns - 1, 1)])


def bar_text(done: int, total: int, seconds: int, last: str) -> str:
    """A bar where a total is known, what has ended of how many, the time since the start, the last ending."""
    filled = BAR_CHARS * min(done, total) // total if total else 0
    bar = f"[{'#' * filled}{'.' * (BAR_CHARS - filled)}] " if total else ""
    clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{bar}{done}/{total or '?'} {clock} {last}".rstrip()


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
