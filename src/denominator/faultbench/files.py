"""bench.json and trials.jsonl: the manifest before the first trial, a row after each; a folder may be gone on with."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.faultbench.trials import Order, name_of
from denominator.records.faults import Bench, Trial
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import sync_folder, write_file
from denominator.wire.jsonl import read_jsonl

BENCH, TRIALS, SCRATCH = "bench.json", "trials.jsonl", ".scratch"
MOST = 1 << 30


@dataclass(frozen=True, slots=True)
class BenchFolder:
    """The folder of one bench."""

    root: Path

    @property
    def scratch(self) -> Path:
        """Gone when the bench ends."""
        return self.root / SCRATCH

    @property
    def journals(self) -> Path:
        """What foreign commands wrote down themselves, one file a trial."""
        return self.root / "journals"

    def make(self) -> None:
        """The folder, or why there can be none: known before anything runs."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot be made ({error.strerror})", where=str(self.root), fix="name another --out"
            ) from None
        if not os.access(self.root, os.W_OK | os.X_OK):
            raise InputError("may not be written", where=str(self.root), fix="name another --out")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One bench at a time in one folder; a second one is refused."""
        fd = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            raise InputError(
                "another bench works here", where=str(self.root), fix="wait, or name another --out"
            ) from None
        try:
            yield
        finally:
            os.close(fd)

    def begin(self, bench: Bench) -> None:
        """Write the manifest, or find the same one: another plan, pack or runner is another bench."""
        path = self.root / BENCH
        if not path.exists():
            if any(self.root.iterdir()):
                raise InputError("is not empty and holds no bench", where=str(self.root), fix="name another --out")
            write_file(path, canonical(bench) + b"\n")
            return
        have = from_json(Bench, loads(read_bytes(path, MOST), str(path)), str(path))
        fields = [name for name in Bench.__slots__ if getattr(have, name) != getattr(bench, name)]
        if fields:
            raise InputError(
                f"holds another bench: {', '.join(fields)} differ", where=str(self.root), fix="name another --out"
            )

    def trials(self) -> list[Trial]:
        """The finished trials; a torn last line is a trial that never was, and is cut off."""
        path = self.root / TRIALS
        if not path.exists():
            return []
        found = read_jsonl(read_bytes(path, MOST), str(path))
        if found.bad or found.blank:
            line = found.bad[0].number if found.bad else found.blank[0]
            raise InputError("holds a line that is no trial", where=f"{path}:{line}", fix="name another --out")
        if found.torn is not None:
            os.truncate(path, found.torn.offset)
        return [from_json(Trial, row.value, f"{path}:{row.number}") for row in found.rows]

    def left(self, orders: list[Order]) -> list[Order]:
        """The orders that have no trial yet."""
        done = {name_of(trial) for trial in self.trials()}
        return [order for order in orders if order.name not in done]

    def add(self, trial: Trial) -> None:
        """Append one trial; it is durable when this returns."""
        fd = os.open(self.root / TRIALS, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            data = canonical(trial) + b"\n"
            if os.write(fd, data) != len(data):
                raise OSError(28, os.strerror(28), str(self.root / TRIALS))
            os.fsync(fd)
        finally:
            os.close(fd)
        sync_folder(self.root)
