"""Reports of sb-cli: one with a copy and the service's answer, one of another run beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example
from foreign_data import written
from importer_examples.swebench import run_report

NAME = "swe-bench_lite__dev__night-run"


def examples(folder: Path) -> Sequence[Example]:
    """A report with everything that belongs to it; a folder of two runs; one without the record of one id."""
    files = {f"{NAME}.json": report(), f"{NAME}-1.json": report(), f"{NAME}.response.json": {"report": report()}}
    thinned = report()
    thinned["failed_ids"] = []
    return (
        Example(
            path=written(folder / "one", files),
            rows=5,
            thinned=written(folder / "thinned", {f"{NAME}.json": thinned}),
        ),
        Example(
            path=written(folder / "two", {f"{NAME}.json": report(), "swe-bench-m__test__other.json": report()}),
            rows=5,
            part=NAME,
        ),
    )


def report(**more: Any) -> dict[str, Any]:
    """Six instances: each state once, and one that nobody handed in anything for."""
    found = run_report(
        resolved_ids=["p__q-1"], unresolved_ids=["p__q-2"], error_ids=["p__q-3"], empty_patch_ids=["p__q-4"],
        incomplete_ids=["p__q-6"], submitted_ids=["p__q-1", "p__q-2", "p__q-3", "p__q-4", "p__q-5"],
    )  # fmt: skip
    return (
        found
        | {
            "failed_ids": ["p__q-5"],
            "pending_ids": [],
            "failed_instances": 1,
            "pending_instances": 0,
            "total_instances": 6,
        }
        | more
    )
