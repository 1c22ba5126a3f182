"""Tasks for tests of agents."""

from __future__ import annotations

from denominator.ports import AgentTask
from denominator.records.envelopes import Arm, ModelTerms
from denominator.records.keys import AttemptKey
from denominator.records.packs import Task, Verify


def agent_task(
    *, control: str = "", gold: bytes | None = None, seed: int | None = 7, prompt="Do it.\n", **arm
) -> AgentTask:
    verify = Verify(runner="unittest", timeout_s=10, level="G3")
    task = Task(
        id="t1",
        title="t",
        slice="negative" if control else "solvable",
        expected="pass",
        reason="r",
        license="MIT",
        allowed=("**",),
        verify=verify,
        control=control,
        required_files=("rates.csv",) if control else (),
    )
    arm.setdefault("model", ModelTerms(id="m-1"))
    key = AttemptKey("run", "t1")
    return AgentTask(key=key, task=task, prompt=prompt, arm=Arm(label="a", **arm), seed=seed, gold=gold)
