"""Rows of another harness that hold one arm or several: each arm is read by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.importers import Report
from denominator.importers.runs import SeveralArmsError
from denominator.pipeline.results import Result
from denominator.pipeline.sides import rows_result
from denominator.wire.strict import read

HEAD = 1 << 20
Arm = tuple[str, Report, Result]


def arms_of(paths: Sequence[Path], column_map: Path | None, where: Sequence[str], declared: str) -> list[Arm]:
    """Every arm that the rows name, in the order of the rows, each judged by itself; one without a name where they name none."""
    try:
        report, result = rows_result(paths, column_map, where, declared)
    except SeveralArmsError as several:
        return [(arm, *rows_result(paths, column_map, (*where, f"arm={arm}"), declared)) for arm in several.arms]
    return [("", report, result)]


def is_ours(path: Path) -> bool:
    """Is it a ledger file as we write it? Its first line is one of our rows; a Parquet ledger is ours alone."""
    if path.suffix == ".parquet":
        return True
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    with path.open("rb") as file:
        first, refusal = read(file.readline(HEAD), "decimal")
    return (
        refusal is None and isinstance(first, dict) and isinstance(first.get("key"), dict) and "schema_version" in first
    )
