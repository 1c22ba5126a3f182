"""Graded samples as rows, held against the samples beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from denominator.importers.foreign import at, foreign_row, pointed, readable_id
from denominator.importers.formats.evalplus.endings import PASS, ending_of
from denominator.importers.formats.evalplus.samples import Samples, short
from denominator.records.foreign import ForeignRow, Told

FEW = 20


def rows_of(
    run_id: str, file: str, tasks: Mapping[str, Any], suite: str, samples: Samples | None, told: Told
) -> Iterator[ForeignRow]:
    """One row for each sample."""
    stale: dict[str, None] = {}
    lengths: set[int] = set()
    for name, graded in tasks.items():
        if not (task := readable_id(told, f"{file}#{pointed('eval', name)}", name)):
            continue
        if not isinstance(graded, list):
            told.say("bad_row", f"{file}#{pointed('eval', name)}", f"{task}: no list of samples", task)
            continue
        lengths.add(len(graded))
        if samples is not None and _differs(graded, samples.of.get(task, [])):
            stale[task] = None
        for index, sample in enumerate(graded):
            yield _row(run_id, f"{file}#{pointed('eval', name, index)}", task, index + 1, sample, suite, told)
    _tell(file, lengths, stale, samples, told)


def _row(run_id: str, where: str, task: str, repeat: int, sample: Any, suite: str, told: Told) -> ForeignRow:
    found = sample if isinstance(sample, dict) else {}
    statuses = found.get("base_status", ""), found.get("plus_status", "")
    ending = ending_of(*statuses, suite)
    if ending is None:
        told.say("unknown_ending", where, f"{task}: {str(statuses)[:80]} is on no line", task)
    if found.get("task_id", task) != task:
        told.say("foreign_id", where, f"a sample of {task} calls itself {str(found['task_id'])[:80]!r}", task)
    for one in ("base", "plus"):
        if found.get(f"{one}_status") == PASS and found.get(f"{one}_fail_tests"):
            told.say("contradiction", where, f"{task}: {one}_status is pass, and {one}_fail_tests is not empty", task)
    return foreign_row(
        run_id, ending, task, importer="evalplus", source=at(where, element=sample), repeat=repeat, numbered=False,
        extra=_extra(found),
    )  # fmt: skip


def _extra(found: Mapping[str, Any]) -> dict[str, object]:
    """Both statuses, how many failed tests are shown (often the first alone), and which solution it was."""
    kept = {name: value for name in ("base_status", "plus_status") if isinstance(value := found.get(name), str)}
    counts = {
        f"{name}_shown": len(value)
        for name in ("base_fail_tests", "plus_fail_tests")
        if isinstance(value := found.get(name), list)
    }
    solution = found.get("solution")
    return {**kept, **counts, **({"solution_sha256_16": short(solution)} if isinstance(solution, str) else {})}


def _differs(graded: list[Any], solutions: list[str]) -> bool:
    """Are these results of other samples than the ones beside them?"""
    if len(graded) != len(solutions):
        return True
    said = [one.get("solution") if isinstance(one, dict) else None for one in graded]
    return any(
        isinstance(mine, str) and theirs and short(mine) != theirs for mine, theirs in zip(said, solutions, strict=True)
    )


def _tell(file: str, lengths: set[int], stale: Mapping[str, None], samples: Samples | None, told: Told) -> None:
    if stale:
        what = (
            f"the samples beside it hold other solutions for {len(stale)} tasks: an older results file was used again"
        )
        told.say("stale_results", file, what, *list(stale)[:FEW])
    if samples is None and len(lengths) > 1:
        told.say("uneven_repeats", file, f"tasks have from {min(lengths)} to {max(lengths)} samples", blocks=False)
