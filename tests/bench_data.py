"""Benches made by hand: a plan, and trials of it with the facts that a test names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from denominator.faultbench.scoring import ScoredBench, judge
from denominator.faultbench.scoring_files import BENCH_FILE, TRIALS_FILE, read_bench, terms_of
from denominator.records.durability import BenchSheet
from denominator.records.faults import (
    Applied,
    Bench,
    BenchBox,
    BenchControl,
    BenchRunner,
    FaultPlan,
    SkippedFault,
    Trial,
    fault_of,
)
from denominator.wire.canonical import canonical
from denominator.wire.codec import to_json

FAULTS = ("patch_drafted:kill", "patch_applied:kill")
ONCE = (Applied(workspace="w", times=1),)
TWICE = (Applied(workspace="w", times=2),)


def bench(tasks: Iterable[str] = ("a", "b"), faults: Iterable[str] = FAULTS, repeats: int = 1, **more: Any) -> Bench:
    """A plan over some tasks."""
    runner = BenchRunner(name="a runner", digest="d" * 64, command=("run",), resume=("run", "--resume"))
    found = Bench(
        bench_id="b1",
        pack_id="pack 1",
        taskset_digest="t" * 64,
        task_ids=tuple(tasks),
        runner=more.pop("runner", runner),
        box=BenchBox(python="3.11", os="linux"),
        plan=FaultPlan(name="plan", faults=tuple(map(fault_of, faults)), repeats=repeats),
    )
    skipped = tuple(SkippedFault(fault=name, why=why) for name, why in more.pop("skipped", ()))
    return replace(found, skipped=skipped, **more)


def trials_of(plan: Bench, changed: Mapping[str, Mapping[str, Any]] | None = None) -> list[Trial]:
    """Every trial that the plan owes and its controls, all of them clean; `changed` overrides by name of a trial.

    Names: `a#1`, `a#1 patch_drafted:kill`, `a#1 negative`, `a#1 silent`. A change to None takes the trial away.
    """
    changed = changed or {}
    made: dict[str, Trial] = {}
    for task in plan.task_ids:
        for repeat in range(1, plan.plan.repeats + 1):
            clean = Trial(bench_id=plan.bench_id, task_id=task, repeat=repeat, ended="pass", applied=ONCE)
            made[f"{task}#{repeat}"] = replace(clean, calls=4, tokens=400, wall_ms=1000)
            for fault in plan.plan.faults:
                made[f"{task}#{repeat} {fault.text}"] = replace(
                    clean,
                    fault=fault.text,
                    fired=True,
                    interrupted=not fault.quiet,
                    resumes=1,
                    second_resume_noop=True,
                    replay_calls=1,
                    replay_tokens=100,
                    replay_ms=20,
                    checkpoints=("context_loaded",),
                )
        made |= _controls(plan, task)
    unknown = set(changed) - set(made)
    assert not unknown, unknown
    kept = [(name, one) for name, one in made.items() if changed.get(name, {}) is not None]
    return [replace(one, **changed.get(name, {})) for name, one in kept]


def _controls(plan: Bench, task: str) -> dict[str, Trial]:
    dead = Trial(bench_id=plan.bench_id, task_id=task, fired=True, interrupted=True, ended="unscoreable")
    trees = {"tree_base": "t0", "tree_at_death": "t0", "tree_after": "t0"}
    negative = replace(dead, fault="context_loaded:kill", control=str(BenchControl.NEGATIVE), **trees)
    edited = {"tree_base": "t0", "tree_at_death": "t1", "tree_after": "t1"}
    silent = replace(dead, fault="patch_applied:kill", control=str(BenchControl.SILENT), unknown_state=True, **edited)
    return {f"{task}#1 negative": negative, f"{task}#1 silent": silent}


def sheet(plan: Bench, trials: Iterable[Trial]) -> BenchSheet:
    """The sheet of some trials, as reading would make it."""
    terms = terms_of(plan, "m" * 64)
    return BenchSheet(
        terms=terms, trials=tuple(sorted(trials, key=lambda one: (one.task_id, one.repeat, one.fault, one.control)))
    )


def scored(plan: Bench, changed: Mapping[str, Mapping[str, Any]] | None = None) -> ScoredBench:
    """A bench with some trials changed, judged."""
    return judge(sheet(plan, trials_of(plan, changed)))


def write(folder: Path, plan: Bench, trials: Iterable[Trial]) -> Path:
    """A bench as its two files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / BENCH_FILE).write_bytes(canonical(to_json(plan)))
    (folder / TRIALS_FILE).write_bytes(b"".join(canonical(to_json(one)) + b"\n" for one in trials))
    return folder


__all__ = ["ONCE", "TWICE", "bench", "read_bench", "scored", "sheet", "trials_of", "write"]
