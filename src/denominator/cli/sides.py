"""One side of a comparison from what was typed: a run, an import's folder, or files of rows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from denominator.cli.places import result_of
from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.pipeline.results import Result
    from denominator.records.comparisons import Side


def side_of(
    names: Sequence[str],
    runs_dir: str | None = None,
    *,
    column_map: Path | None = None,
    where: Sequence[str] = (),
) -> tuple[Side, Result]:
    """A side and its result. `names` is one run id, one folder of a run or an import, or files (or a folder) of rows.

    Several names are read together as one run of another harness. Raises InputError for names that are none of these.
    """
    from denominator.pipeline.importing import import_paths

    if len(names) == 1 and not where and column_map is None and not _holds_rows(names[0], runs_dir):
        result = result_of(names[0], runs_dir)
    else:
        missing = [name for name in names if not os.path.exists(name)]  # noqa: PTH110
        if missing:
            raise InputError(f"there is no {', '.join(missing)}", where="the sides", fix="name files, folders or runs")
        _, result = import_paths([Path(name) for name in names], column_map, where, None)
    return as_side(" ".join(names), result), result


def as_side(name: str, result: Result) -> Side:
    """A judged ledger as a side: its arm's label where it has one, else what was typed."""
    from denominator.records.comparisons import Side

    return Side(name=result.terms.arm or Path(name).name, sheet=result.judged.sheet, verdict=result.judged.verdict)


def _holds_rows(name: str, runs_dir: str | None) -> bool:
    """Is it a file, or a folder that is neither a run nor a kept import?"""
    del runs_dir
    path = Path(name)
    if os.path.isfile(name):  # noqa: PTH113
        return True
    kept = any((path / one).is_file() for one in ("seal.json", "ledger.json"))
    return path.is_dir() and not kept
