"""A table of SWE-bench Pro, and a folder of two."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from denominator.testing.importer_bench import Example

TABLE = {"instance_a__x-1": True, "instance_a__x-2": False, "instance_b__y-3": True}


def examples(folder: Path) -> Sequence[Example]:
    """One table by itself; one of two in folders named after their runs. The format keeps no plan."""
    for name in ("alone", "board/first", "board/second"):
        (folder / name).mkdir(parents=True)
        (folder / name / "eval_results.json").write_text(json.dumps(TABLE), encoding="utf-8")
    return (
        Example(path=folder / "alone", rows=3),
        Example(path=folder / "board", part="second", rows=3),
    )
