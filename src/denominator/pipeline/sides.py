"""Two arms from wherever people have them: runs of ours, kept imports, files of another harness."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from denominator.errors import InputError
from denominator.gate import holds_of
from denominator.importers import Report
from denominator.importers.roles import STATED_NAME
from denominator.pipeline.house import judging_rules
from denominator.pipeline.importing import import_paths
from denominator.pipeline.results import Result
from denominator.records.comparisons import Side

DECLARED = re.compile(r"([1-9][0-9]{0,6})(?:x([1-9][0-9]{0,3}))?")


def side_of(name: str, result: Result) -> Side:
    """One arm as judged, under the name that the report uses. Rows that were all refused are rows that were given."""
    judged = result.judged
    return Side(
        name=name,
        sheet=judged.sheet,
        verdict=judged.verdict,
        caps=holds_of(judged.findings, judging_rules()).caps,
        split_hidden=judged.split_hidden,
        rows=bool(judged.sheet.ledger.rows) or any(one.blocks for one in judged.sheet.ledger.defects),
    )


def side_names(a: Result, b: Result, asked: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """What to call the two arms: by arm, else by run id, else as they were typed; two of one name get a letter."""
    for first, second in ((a.terms.arm, b.terms.arm), (a.ledger.run_id, b.ledger.run_id), asked):
        if first and second and first != second:
            return first, second
    name = a.terms.arm or a.ledger.run_id or asked[0]
    return (f"{name} (A)", f"{name} (B)") if name else ("A", "B")


def rows_result(
    paths: Sequence[Path], column_map: Path | None = None, where: Sequence[str] = (), declared: str = ""
) -> tuple[Report, Result]:
    """Rows of another harness, judged. `declared` ("20x5") is what a person says was scheduled, where no manifest does."""
    return import_paths(paths, column_map, where, None, stated_manifest(declared))


def stated_manifest(declared: str) -> tuple[tuple[str, bytes], ...]:
    """TASKSxREPEATS as a manifest that states so many tasks and repeats, and nothing else."""
    if not declared:
        return ()
    found = DECLARED.fullmatch(declared)
    if found is None:
        raise InputError(
            f"{declared!r} is not TASKS or TASKSxREPEATS", where="--declared", fix="for 20 tasks, 5 repeats each: 20x5"
        )
    document = {"task_count": int(found[1]), "repeats": int(found[2] or 1)}
    return ((STATED_NAME, json.dumps(document).encode()),)
