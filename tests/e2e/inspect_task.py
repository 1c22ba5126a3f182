"""Run by Inspect's own interpreter: a small task with its mock model, then what Inspect itself makes of the log, as JSON.

`inspect_task.py FOLDER eval|json`. Six samples in two epochs: right, wrong, one that always raises, one that raises once and
is tried again, one that asks on until its messages are spent, one that its scorer cannot score.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, scorer, stderr
from inspect_ai.solver import solver

KINDS = ("right", "wrong", "raises", "once", "loops", "unscored")
raised: set[tuple[str, int]] = set()


@solver
def behave():
    async def solve(state, generate):
        kind, key = state.sample_id, (state.sample_id, state.epoch)
        if kind == "raises":
            raise ConnectionError("the other end hung up")
        state = await generate(state)
        if kind == "once" and key not in raised:
            raised.add(key)
            raise ConnectionError("the other end hung up after its answer")
        while kind == "loops":
            state.messages.append(ChatMessageUser(content="again"))
            state = await generate(state)
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def hidden_tests():
    async def score(state, target):
        if state.sample_id == "unscored":
            return Score.unscored(reason="scoring_failed", explanation="the runner never came up")
        return Score(value="I" if state.sample_id == "wrong" else "C")

    return score


def answer(*_: object) -> ModelOutput:
    """An answer that states its usage: to count tokens itself the mock model would fetch a vocabulary."""
    output = ModelOutput.from_content(model="mockllm", content="done")
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def main() -> None:
    folder, shape = sys.argv[1:]
    dataset = [Sample(id=kind, input=f"do {kind}", target="x") for kind in KINDS]
    task = inspect_ai.Task(name="tiny", dataset=dataset, solver=behave(), scorer=hidden_tests(), message_limit=6)
    inspect_ai.eval(
        task, model=get_model("mockllm/model", custom_outputs=answer), epochs=2, fail_on_error=False, retry_on_error=1, log_dir=folder, log_format=shape,
        display="none", log_level="error",
    )  # fmt: skip
    (path,) = Path(folder).iterdir()
    log = read_eval_log(str(path))
    usage = log.stats.model_usage["mockllm/model"]
    print(json.dumps({
        "path": str(path), "status": log.status, "total": log.results.total_samples, "completed": log.results.completed_samples,
        "accuracy": log.results.scores[0].metrics["accuracy"].value, "scored": log.results.scores[0].scored_samples,
        "unscored": log.results.scores[0].unscored_samples, "tokens": usage.total_tokens,
        "samples": [{
            "id": one.id, "epoch": one.epoch, "error": one.error.message if one.error else "", "limit": one.limit.type if one.limit else "",
            "score": str(one.scores["hidden_tests"].value) if one.scores else "", "tries": len(one.error_retries or ()),
            "tokens": sum(each.total_tokens for each in one.model_usage.values()),
        } for one in log.samples],
    }))  # fmt: skip


if __name__ == "__main__":
    main()
