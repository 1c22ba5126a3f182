"""Runs that are killed at one failpoint after the other, and what became of the attempts that this interrupted."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from denominator.catalog.failpoints import AFTER_COMMIT, BEFORE_COMMIT, FAILPOINTS
from denominator.pipeline.run import open_promises, read_ledger
from denominator.records.keys import AttemptKey
from denominator.records.rows import Ledger
from denominator.run.progress import read_progress
from denominator.wiring.opening import find_run, look_into
from simulation import sessions

COMMITS = (BEFORE_COMMIT, AFTER_COMMIT)
SEALING = ("env.before_rename", "env.frozen")
# The journal's own points come by at every commit: they are hit early, while there are some to come.
POINTS = (*SEALING, *COMMITS, *(p.name for p in FAILPOINTS if not p.needs and p.name not in (*SEALING, *COMMITS)))
RETRY_POINTS = tuple(point.name for point in FAILPOINTS if point.needs == "retry")
BLOCKED = 1  # GL074: a run in which failpoints were armed gives no rate
KILLED = -signal.SIGKILL


@dataclass
class Lap:
    """One run that is killed, resumed, killed ... `first` is armed in its first process too."""

    folder: Path
    run_id: str
    envelope: str
    first: str = ""
    interrupted: list[tuple[str, AttemptKey]] = field(default_factory=list)
    killed: list[str] = field(default_factory=list)
    over: bool = False

    @property
    def root(self) -> Path:
        return self.folder / "runs" / self.run_id

    def killed_at(self, name: str, nth: int = 1) -> bool:
        """Did a process that goes on with the run die at this point? False: it ended by itself first."""
        traps, self.first = ",".join(filter(None, (self.first, f"{name}=kill@{nth}"))), ""
        code = self._go_on(traps)
        if code != KILLED:
            assert code == BLOCKED, (name, code, (self.folder / "said").read_text())
            self.over = True
            return False
        self.killed.append(name)
        self.interrupted += [(name, key) for key in self._under_way()]
        return True

    def end(self) -> None:
        """A process that nothing happens to ends the run."""
        assert self._go_on("") == BLOCKED, (self.folder / "said").read_text()
        run = look_into(find_run(self.run_id, self.folder / "runs"))
        assert open_promises(run) == []
        run.journal.close()

    def again_is_nothing(self) -> bool:
        """Does one more resume leave every byte and every date of every file of the run as they are?"""
        before = self._files()
        assert self._go_on("") == BLOCKED
        return self._files() == before

    def resumed_right(self, whole: Ledger) -> list[tuple[str, AttemptKey]]:
        """Interrupted attempts that ended as they do when nothing happens."""
        run = look_into(find_run(self.run_id, self.folder / "runs"))
        ends = [{row.key.draw: (row.stop_reason, row.grade) for row in one.rows} for one in (read_ledger(run), whole)]
        run.journal.close()
        return [(name, key) for name, key in self.interrupted if ends[0][key.draw] == ends[1][key.draw]]

    def _go_on(self, traps: str) -> int:
        args = ("resume", self.run_id) if self.root.exists() else ("run", self.envelope, "--run-id", self.run_id)
        env = {"DENOMINATOR_FAILPOINTS": traps} if traps else {}
        return sessions.finish(sessions.start(self.folder, *args, env=env), self.folder)

    def _under_way(self) -> list[AttemptKey]:
        if not self.root.exists():
            return []
        run = look_into(find_run(self.run_id, self.folder / "runs"), untouched=True)
        states = read_progress(run.journal.events())
        run.journal.close()
        return [key for key, state in states.items() if state.open and state.incarnation]

    def _files(self) -> dict[str, tuple[bytes, int]]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


def laps(folder: Path, seed: int, table: Table) -> Iterator[Lap]:
    """Runs of two slots until each point has killed one of them: which, and at the how manieth time, the seed says."""
    rng, left, number = random.Random(seed), list(POINTS), 0
    while left:
        number += 1
        lap = Lap(folder, f"s{seed}-{number}", "envelope.toml")
        for name in [name for name in left if number > 3 or rng.random() < 0.7]:
            if lap.killed_at(name, 1 if number > 2 or name in SEALING else rng.choice((1, 1, 1, 2))):
                left.remove(name)
            if lap.over:
                break
        lap.end()
        table.same_again += lap.again_is_nothing()
        table.runs += 1
        yield lap


@dataclass
class Table:
    """What is told of all laps."""

    seeds: int = 0
    runs: int = 0
    same_again: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    interrupted: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    begun: str = field(default_factory=lambda: _now())
    loads: list[float] = field(default_factory=list)

    def ended(self) -> None:
        """One more seed is through."""
        self.seeds += 1
        self.loads.append(os.getloadavg()[0])

    def note(self, lap: Lap, whole: Ledger) -> None:
        """Count one lap, whose ledger and effects have been looked at."""
        self.kills.update(lap.killed)
        self.interrupted.update(name for name, _ in lap.interrupted)
        self.right.update(name for name, _ in lap.resumed_right(whole))

    def is_whole(self) -> bool:
        """Was everything hit with every seed, is the resume success rate 1, and is a second resume nothing?"""
        every = all(self.kills[name] >= self.seeds for name in POINTS)
        return every and self.right == self.interrupted and self.same_again == self.runs

    def text(self, commit: str) -> str:
        """The page of evidence."""
        total, right = self.interrupted.total(), self.right.total()
        rows = [f"| `{name}` | {self.kills[name]} | {self.interrupted[name]} | {self.right[name]} |" for name in POINTS]
        return "\n".join((
            "# SIGKILL at every failpoint", "",
            f"`DENOMINATOR_KILL_SEEDS={self.seeds} pytest tests/simulation/test_kill.py -k many_seeds` wrote this page. Each"
            " run has four",
            "scripted attempts in two slots; its processes are killed at one failpoint after the other, chosen by the seed, and",
            "resumed until it ends. [failpoints](../failpoints.md) says what each point is.", "",
            f"Seeds 0 to {self.seeds - 1}, commit `{commit}`, {self.begun} to {_now()} UTC, load average {min(self.loads):.1f} to"
            f" {max(self.loads):.1f}.", "",
            f"- runs {self.runs}, kills {self.kills.total()}, attempts under way when their process was killed {total}",
            f"- attempts that ended as in the run without faults: {right} of {total}",
            "- effects applied twice 0: one promise, patch, applied tree, grade and ending an attempt, the tree that the intent"
            " named",
            f"- runs of which one more resume changed no byte and no date of any file, the journal included:"
            f" {self.same_again}/{self.runs}", "",
            "An attempt that is killed several times is counted at each point. Points of calls and of retries are killed at in",
            "`test_gateway_kill.py` and in `test_kill.py`.", "",
            "| point | kills | attempts under way | ended right |", "|---|---|---|---|", *rows, "",
        ))  # fmt: skip


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime())
