"""One patch on both sides with two verdicts: there the grader differs, whatever the arms are."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.records.comparisons import Side
from denominator.records.draws import JudgedDraw
from denominator.records.judgements import SCORED, Sheet
from denominator.records.keys import DrawKey
from denominator.records.rows import PatchFacts

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
PUBLISHABLE = "publishable"
SHOWN = 5
SOLUTIONS = ("solution_sha256_16", "code_sha256_16")
"""Where importers keep the digest of an answer that is no patch."""


def patch_reasons(a: Side, b: Side) -> list[str]:
    """Why two sides are two gradings of one set of patches, or nothing. A blocked side's outcomes are not told."""
    both, apart = _held(a, b)
    if not apart or any(one != other for (one, _), (other, _) in both.values()):
        return []
    many = f"{len(both)} draws that have one" if len(both) != 1 else "only draw that has one"
    return [
        f"{a.name} and {b.name} hold the same patch or solution in each of the {many}, and the verdicts differ on {_named(apart)}: "
        "the grader differs there, no arm does"
    ]


def patch_notes(a: Side, b: Side) -> list[str]:
    """Which draws hold one patch and two verdicts, where other patches differ."""
    _, apart = _held(a, b)
    if not apart or patch_reasons(a, b):
        return []
    return [f"one patch or solution on both sides, and two verdicts: {_named(apart)}; there the grader differs"]


def _held(a: Side, b: Side) -> tuple[dict[DrawKey, tuple[tuple[str, str], tuple[str, str]]], list[DrawKey]]:
    """Patch and exit of the draws that have a patch on both sides; those with one patch and two verdicts."""
    if any(side.split_hidden or side.verdict.status != PUBLISHABLE for side in (a, b)):
        return {}, []
    left, right = dict(_patches(a.sheet)), dict(_patches(b.sheet))
    both = {key: (left[key], right[key]) for key in sorted(left.keys() & right.keys())}
    apart = [
        key
        for key, ((patch, one), (other, two)) in both.items()
        if patch == other and one != two and {one, two} <= {*SCORED}
    ]
    return both, apart


def _patches(sheet: Sheet) -> Iterable[tuple[DrawKey, tuple[str, str]]]:
    for task, repeat, draw in sheet.placed():
        if sha := patch_of(draw):
            yield DrawKey(task, repeat), (sha, draw.exit)


def graded_patches(sheet: Sheet) -> dict[DrawKey, tuple[str, str]]:
    """Patch and verdict of the draws that have both."""
    return {key: (patch, exit_) for key, (patch, exit_) in _patches(sheet) if exit_ in SCORED}


def patch_of(draw: JudgedDraw) -> str:
    """The digest of what a draw handed in, a patch or a solution; "" where that is unknown or nothing."""
    if draw.row is None:
        return ""
    if said := next((draw.row.extra[name] for name in SOLUTIONS if name in draw.row.extra), ""):
        return said
    patch = draw.row.patch
    sha = patch.sha256 if isinstance(patch, PatchFacts) else ""
    return sha if isinstance(sha, str) and sha != EMPTY else ""


def _named(keys: list[DrawKey]) -> str:
    names = [key.task_id if key.repeat == 1 else f"{key.task_id} (repeat {key.repeat})" for key in keys[:SHOWN]]
    return ", ".join(names) + (f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else "")
