"""Damaged row files are refused, or give the counts that a second, simple reader gives. Never a traceback."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from denominator.errors import DenominatorError
from denominator.importers import import_rows
from denominator.judge import make_sheet
from unit.importers import reference_reader
from unit.importers.mutate import mutated

CASES = Path(__file__).parents[2] / "cases" / "import"
COPIES = 200
ROW_FILES = ("runs.jsonl", "output.jsonl", "output_errors.jsonl", "events.json", "tasks.jsonl")
OF_THE_CASE = {"never_finished", "post_lock_exclusion", "missing_companion"}
PAIRS = sorted((case.name, name) for case in CASES.iterdir() for name in ROW_FILES if (case / name).exists())
ALWAYS_REFUSED = {"044-two-writers-one-line", "083-nan-and-infinity-rows", "086-names-that-break-paths"}


def counted(files: dict[str, bytes]) -> dict[str, int] | None:
    """Exits by name, or None when the import refuses or a defect of reading blocks."""
    try:
        imported = import_rows(list(files.items()))
    except DenominatorError:
        return None
    if any(defect.blocks and defect.kind not in OF_THE_CASE for defect in imported.ledger.defects):
        return None
    sheet = make_sheet(imported.ledger, imported.terms)
    found = Counter("unresolved" if draw.failure_class == "unresolved" else draw.exit for draw in sheet.draws)
    found["never_started"] += sheet.unnamed
    return {name: count for name, count in found.items() if count}


@pytest.mark.parametrize(("case", "name"), PAIRS)
def test_a_damaged_file_is_refused_or_counted_alike(case: str, name: str) -> None:
    files = {path.name: path.read_bytes() for path in (CASES / case).iterdir()}
    accepted = 0
    for copy in range(COPIES):
        seed = f"{case}/{name}/{copy}"
        damaged = {**files, name: mutated(files[name], seed)}
        found = counted(damaged)
        if found is not None:
            accepted += 1
            assert found == reference_reader.counts(damaged), seed
    low = 0 if case in ALWAYS_REFUSED else 20
    assert accepted >= low, f"only {accepted} of {COPIES} damaged copies were counted: the comparison shows nothing"


@pytest.mark.parametrize("case", sorted({case for case, _ in PAIRS} - ALWAYS_REFUSED))
def test_both_readers_agree_on_the_untouched_case(case: str) -> None:
    files = {path.name: path.read_bytes() for path in (CASES / case).iterdir()}
    assert counted(files) == reference_reader.counts(files)
