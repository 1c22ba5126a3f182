"""Where the files of a run lie (DESIGN: files of a run)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.records.keys import AttemptKey
from denominator.wire.names import safe_name


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The paths of one run. `scratch` is where a worker keeps its attempts: never in the folder of another process."""

    root: Path
    scratch: Path | None = None

    @property
    def seal(self) -> Path:
        return self.root / "seal.json"

    @property
    def pack(self) -> Path:
        """The pack as sealed, copied once: later edits of its source touch no run."""
        return self.root / "pack"

    @property
    def baseline(self) -> Path:
        return self.root / "baseline.json"

    @property
    def journal(self) -> Path:
        return self.root / "journal.db"

    @property
    def journal_place(self) -> Path:
        """Names the server that has the journal; absent where the folder has it."""
        return self.root / "journal.toml"

    @property
    def blobs(self) -> Path:
        return self.root / "blobs"

    @property
    def card(self) -> Path:
        return self.root / "card.json"

    @property
    def ledger(self) -> Path:
        return self.root / "ledger.jsonl"

    @property
    def calls(self) -> Path:
        return self.root / "calls.jsonl"

    @property
    def narration(self) -> Path:
        return self.root / "narration_probe.json"

    @property
    def log(self) -> Path:
        return self.root / "run.log"

    @property
    def work(self) -> Path:
        return self.scratch or self.root / "work"

    def attempt(self, key: AttemptKey) -> Path:
        """The scratch folder of one attempt; gone when the attempt is closed."""
        return self.work / f"{safe_name(key.task_id)}.{key.repeat}.{key.attempt}"

    def above(self, key: AttemptKey) -> tuple[Path, ...]:
        """The folders in which a name must be durable for an attempt's scratch to be found again, innermost first."""
        return (self.attempt(key), self.work, *(() if self.scratch else (self.root,)))
