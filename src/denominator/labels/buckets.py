"""Which rows the buckets are about, and what is not known when a later bucket is given."""

from __future__ import annotations

from denominator.labels import facts
from denominator.labels.shape import View
from denominator.records.words import Axis, Slice

LOOPS = "a complete tool log: TOOL_LOOP comes first and was not evaluated"
SURFACES = "the surfaces held against the frozen spec: ASSUME_API comes first and was not evaluated"
BOTH = "a tool log and the frozen spec: TOOL_LOOP and ASSUME_API come first and were not evaluated"


def counts_here(view: View, *outcomes: str) -> bool:
    """Is it a row of the solvable slice with one of these exits?"""
    return view.row.slice == Slice.SOLVABLE and view.one(Axis.OUTCOME) in outcomes


def after(view: View, *, loops: bool = False, surfaces: bool = False) -> tuple[str, str]:
    """Confidence of a bucket that stands after others, and what would have changed it when those were not evaluated."""
    no_loops = loops and not facts.loops_judged(view.row)
    no_surfaces = surfaces and not facts.surfaces_judged(view.row)
    if no_loops and no_surfaces:
        return "medium", BOTH
    if no_loops or no_surfaces:
        return "medium", LOOPS if no_loops else SURFACES
    return "high", ""
