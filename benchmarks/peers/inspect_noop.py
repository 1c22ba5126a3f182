"""N samples of Inspect that do nothing, in the interpreter of its own environment; prints what they took as one line of JSON.

`inspect_noop.py N none|local`: with `none` solver and scorer touch nothing; with `local` each runs `true` in Inspect's local
sandbox, which is a process in a temporary folder of the host and isolates nothing.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import solver
from inspect_ai.util import sandbox


@solver
def nothing(touch: bool):
    async def solve(state, generate):
        if touch:
            await sandbox().exec(["true"])
        return state

    return solve


@scorer(metrics=[accuracy()])
def green(touch: bool):
    async def score(state, target):
        if touch:
            await sandbox().exec(["true"])
        return Score(value="C")

    return score


def main() -> None:
    count, kind = int(sys.argv[1]), sys.argv[2]
    touch = kind == "local"
    task = inspect_ai.Task(
        dataset=[Sample(input="do nothing", target="C", id=number) for number in range(1, count + 1)],
        solver=nothing(touch),
        scorer=green(touch),
        sandbox="local" if touch else None,
    )
    with tempfile.TemporaryDirectory() as logs:
        cpu, wall = sum(os.times()[:4]), time.perf_counter()
        (log,) = inspect_ai.eval(
            task, model="mockllm/model", log_dir=logs, display="none", max_samples=1, log_level="error"
        )
        took = {"wall_s": time.perf_counter() - wall, "cpu_s": sum(os.times()[:4]) - cpu}
        assert log.status == "success" and log.samples is not None and len(log.samples) == count, log.status
    print(json.dumps(took))


main()
