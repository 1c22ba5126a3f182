"""What another process says of a range of a long foreign file."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from denominator.importers.raw import RawRow
from denominator.pipeline.row_sending import Columns
from denominator.records.rows import AttemptRow, Defect


@dataclass(slots=True)
class Told:
    """Kinds by digest and tasks in the order of their numbers, rows with their numbers of lines, and what was found in them.

    `digests` are sorted, `plans` are the keys that rows were found with. `unusual`: the file is not for this road.
    """

    kinds: dict[bytes, AttemptRow] = field(default_factory=dict)
    tasks: list[str] = field(default_factory=list)
    rows: list[tuple[Columns, array[int]]] = field(default_factory=list)
    digests: bytes = b""
    plans: list[tuple[str, ...]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)
    arms: dict[str, RawRow] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)
    seen: int = 0
    unusual: bool = False
    all: bool = False

    def add(self, more: Told) -> None:
        """What comes next of the same range."""
        self.kinds |= more.kinds
        self.tasks += more.tasks
        self.rows += more.rows
        if more.all:
            self.digests, self.plans, self.seen = more.digests, more.plans, more.seen
            self.keys, self.runs, self.arms, self.defects = more.keys, more.runs, more.arms, more.defects
        self.unusual, self.all = more.unusual, more.all
