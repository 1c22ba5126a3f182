"""What an importer's author shows to the conformance suite: small examples of the format, as its tool writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.importers.foreign import Importer


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One source that the importer reads: a file or a folder, whole and without any defect that blocks.

    `part` chooses a run where it holds several. `thinned` is a copy from which the record of one attempt was taken and the
    plan was left: what is declared must stay the same. None where the format keeps no plan. `rows` is how many rows it holds.
    """

    path: Path
    rows: int
    part: str = ""
    thinned: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImporterBench:
    """An importer, its examples, and sources of other kinds that it must not take for its own."""

    importer: Importer
    examples: Sequence[Example]
    aliens: Sequence[Path] = ()
