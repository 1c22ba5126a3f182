"""Judged runs for tests of exporters."""

from __future__ import annotations

from typing import Any

from denominator.pipeline.results import Result, judge_ledger
from denominator.records.conditions import Condition
from denominator.records.keys import DrawKey
from denominator.records.rows import AttemptRow, Declared
from denominator.records.values import NotMeasured
from judging_data import ledger, own, terms

STATED = {
    "model_id": '"lab/m-1"', "temperature": "0", "max_output_tokens": "4096", "wall_cap_s": "600", "agent_id": '"coder"',
    "sandbox": '"bubblewrap"', "budget_tokens_per_task": "200000", "harness_name": '"other"', "harness_version": '"1.2"',
    "seed": NotMeasured("no seed was sent"),
}  # fmt: skip
CONTROL = "must_fail"


def conditions(**over: Any) -> tuple[Condition, ...]:
    return tuple(Condition(name=name, value=value) for name, value in (STATED | over).items())


def solvable(n: int = 16, **over: Any) -> list[AttemptRow]:
    """Rows of which every third is red."""
    made = {"started_at": "2026-11-27T10:00:00Z", "wall_ms": 1500} | over
    return [own(f"t{n:02d}", "green" if n % 3 else "red", **made) for n in range(1, n + 1)]


def run_of(
    rows: list[AttemptRow] | None = None, *, control: str = "red", more: tuple[str | DrawKey, ...] = (), **over: Any
) -> Result:
    """A run of ours with one control; `more` are draws that never started."""
    rows = [*(solvable() if rows is None else rows), own("n1", control, slice="negative", control=CONTROL)]
    draws = [Declared(draw=one.key.draw, slice=one.slice, control=one.control) for one in rows]
    draws += [Declared(draw=one if isinstance(one, DrawKey) else DrawKey(one)) for one in more]
    return judge_ledger(ledger(rows, declared=draws), terms(**({"origin": "seal", "conditions": conditions()} | over)))
