"""What each field of an envelope asks for, in a line: the template's comments and the fixes of `seal` are one text."""

from __future__ import annotations

HINTS = {
    "question": "the question that the number answers, in a sentence",
    "pack": 'a built-in pack ("holdout16") or the path of a folder',
    "arm": "at least one [[arm]]",
    "arm.label": "a short name for this arm, used in run ids and tables",
    "arm.agent": '"command" for a program of your own; a preset such as "aider"; "oracle" (the gold patches), "nop", "script"',
    "arm.agent_version": "the agent's version, as it prints it; whatever you change in the agent changes this",
    "arm.command": 'for agent "command": the command line inside the sandbox, where the repository is the working directory',
    "arm.mounts": "folders of this machine that the agent needs, read-only: HERE=INSIDE; HERE may be relative to this file",
    "arm.env": "variables of the agent; {model_url} is the model as reached from inside, {model_token} stands for the key",
    "arm.script": 'for agent "script": the path of the script',
    "arm.model.id": 'the model as listed by the endpoint; "none" when the agent calls no model',
    "arm.model.snapshot": "the dated snapshot; one that equals the id counts as unknown and is refused",
    "arm.model.endpoint": "its address up to /v1, such as https://models.example.org/v1; never a key",
    "arm.model.access_class": "how it is reached, in a word: subscription, pay_per_token, free_tier, self_hosted ...",
    "arm.model.server_class": "what serves it, in a word: shared, dedicated, local ...",
    "arm.model.temperature": "as sent, for example 0.0",
    "arm.model.seed": 'as sent, in quotes, for example "7"; "none" when the endpoint takes none',
    "arm.model.max_output_tokens": "per call, as sent; the gateway puts it into a call that names no cap",
    "arm.model.key_env": "the NAME of the harness's variable that holds the endpoint's key; never the key",
    "budget.wall_s": "seconds of wall time an attempt may take",
    "budget.working_s": "seconds of wall time less the provider's pauses; at most wall_s",
    "budget.tokens": "tokens an attempt may use in all its calls; a call whose worst case does not fit is refused",
    "budget.tool_calls": "tool calls an attempt may make; cut at the gateway, and without a model only recorded",
    "budget.attempts": "attempts a draw may take in all, 1 for no retry",
    "budget.repeats": "how often each task is drawn; below 5 the instability itself is poorly known",
    "policy.on_timeout": '"fail" (a cut attempt fails) or "grade" (the state left on disk is graded); no default',
    "policy.tool_loop_n": "the same tool calls with the same results this many times in a row are a loop, at least 2",
    "policy.retry.rate_limited": "retries after a 429 that the attempt did not survive",
    "policy.retry.server_error": "retries after a 5xx that the attempt did not survive",
    "policy.retry.timeout": "retries after a timeout that was not the agent's own",
    "policy.retry.infra": "retries after a fault of the machine",
    "sandbox.backend": "bubblewrap, docker with an image, or landlock (weak: no root, no more than counts)",
    "sandbox.image": "for docker: NAME@sha256:..., as `denominator doctor --sandbox docker --image NAME` prints it",
    "sandbox.network": '"none", or "gateway" for agents that call a model',
    "sandbox.memory_mb": "memory of one attempt, in units of 2^20 bytes",
    "sandbox.processes": "processes and threads of one attempt",
    "sandbox.disk_mb": "everything that an attempt may write",
    "sandbox.file_mb": "the largest single file",
    "run.concurrency": "attempts at a time; the baseline is taken at the same number",
    "run.warmup_tasks": "attempts that run first and are counted nowhere",
    "run.order_seed": "shuffles the tasks; 0 keeps the pack's order",
    "run.seeds": "seed of the agent in repeat 1, 2 ...",
    "run.baseline_repeats": "gradings of each tree with the agent off, at least 3",
    "ceilings.invalid_rate": "share of invalid calls above which no aggregate is printed, for example 0.10",
    "ceilings.infra_rate": "share of rows lost to infrastructure above which no aggregate is printed, for example 0.10",
    "metric.headline": "the number that will be cited: headline_pass_rate = passes / declared draws of the solvable tasks",
    "metric.scorer": "what decides: tests, compile, schema or golden_diff; a model or a person never feeds a headline",
    "cite.sentence": "the sentence that the result is meant to support, written before the result is known",
    "cite.rule": 'when it may be cited, written before the result is known; "never: a trial" is an answer',
    "provenance.operator": "who runs this, in what role; a role is enough",
    "provenance.purpose": "what for: smoke test, demo, comparison ...",
}


def hint(path: str) -> str:
    """The hint for `arm[0].model.id` and the like."""
    key = path.split("[", 1)[0] + path.split("]", 1)[1] if "]" in path else path
    return HINTS.get(key, f"fill in {key}")
