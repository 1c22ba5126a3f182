"""`probe compare`: the stored bytes of each probe judged by the same classifier, then set side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.errors import Exit
from denominator.pipeline.probe_scoring import score_folder
from denominator.probe.compare import compare
from denominator.records.probe_compared import ProbeComparison


def compare_folders(folders: Sequence[Path]) -> ProbeComparison:
    """Folders by the names that were typed; what somebody wrote into their `score.json` is not read."""
    return compare([(str(one), score_folder(one)) for one in folders])


def exit_of(found: ProbeComparison) -> Exit:
    """3 where conditions differ; 1 where passes of a side are withheld."""
    withheld = any(window.withheld for side in found.sides for window in side.windows)
    return Exit.NOT_COMPARABLE if found.differences else Exit.BLOCKED if withheld else Exit.DONE
