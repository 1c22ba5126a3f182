"""`envelope init`: a commented envelope whose placeholders `seal` lists; and the complete one of the demo."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.envelopes.hints import HINTS
from denominator.records.envelopes import (
    Arm,
    Budget,
    Ceilings,
    Cite,
    Envelope,
    Metric,
    ModelTerms,
    Policy,
    RetryPolicy,
    RunProvenance,
    RunTerms,
    SandboxTerms,
)

_HEAD = """\
#:schema ./schemas/envelope.json
# Every condition that can move the number. Fill in what starts with REPLACE and every line that is commented out with
# "REPLACE" behind it; `denominator envelope check` lists what is missing. Sealed once, it is never edited: a change is a
# new run. Much shorter to fill in: `denominator envelope init --agent command FILE` (or oracle, nop, script).
schema_version = 1
"""
_LINES: tuple[tuple[str, str, str], ...] = (
    # (path, value written; "" = left out as a comment, remark)
    ("question", '"REPLACE"', ""),
    ("pack", '"holdout16"', ""),
    ("[[arm]]", "", ""),
    ("arm.label", '"REPLACE"', ""),
    ("arm.agent", '"REPLACE"', ""),
    ("arm.agent_version", '"REPLACE"', ""),
    ("arm.command", "", '["sh", "/opt/agent/agent.sh", "{prompt_file}"]'),
    ("arm.mounts", "", '["agent=/opt/agent"]'),
    ("arm.script", "", '"script.toml"'),
    ("[arm.model]", "", ""),
    ("arm.model.id", '"REPLACE"', ""),
    ("arm.model.snapshot", '"REPLACE"', ""),
    ("arm.model.endpoint", '"REPLACE"', ""),
    ("arm.model.access_class", '"REPLACE"', ""),
    ("arm.model.server_class", '"REPLACE"', ""),
    ("arm.model.temperature", "", "0.0  # REPLACE"),
    ("arm.model.seed", '"REPLACE"', ""),
    ("arm.model.max_output_tokens", "", "4096  # REPLACE"),
    ("arm.model.key_env", "", '"ENDPOINT_KEY"'),
    ("[arm.env]", "", ""),
    ("arm.env.OPENAI_BASE_URL", "", '"{model_url}"'),
    ("arm.env.OPENAI_API_KEY", "", '"{model_token}"'),
    ("[budget]", "", ""),
    ("budget.wall_s", "", "600  # REPLACE"),
    ("budget.working_s", "", "600  # REPLACE"),
    ("budget.tokens", "", "200000  # REPLACE"),
    ("budget.tool_calls", "", "60  # REPLACE"),
    ("budget.attempts", "", "1  # REPLACE"),
    ("budget.repeats", "", "1  # REPLACE"),
    ("[policy]", "", ""),
    ("policy.on_timeout", '"REPLACE"', ""),
    ("policy.tool_loop_n", "3", ""),
    ("[policy.retry]", "", ""),
    ("policy.retry.rate_limited", "", "0  # REPLACE"),
    ("policy.retry.server_error", "", "0  # REPLACE"),
    ("policy.retry.timeout", "", "0  # REPLACE"),
    ("policy.retry.infra", "", "0  # REPLACE"),
    ("[sandbox]", "", ""),
    ("sandbox.backend", '"bubblewrap"', ""),
    ("sandbox.network", '"REPLACE"', ""),
    ("sandbox.memory_mb", "", "1024  # REPLACE"),
    ("sandbox.processes", "", "128  # REPLACE"),
    ("sandbox.disk_mb", "", "512  # REPLACE"),
    ("sandbox.file_mb", "", "64  # REPLACE"),
    ("[run]", "", ""),
    ("run.concurrency", "", "2  # REPLACE"),
    ("run.baseline_repeats", "3", ""),
    ("run.warmup_tasks", "5", ""),
    ("run.order_seed", "0", ""),
    ("run.seeds", "", "[1, 2, 3]"),
    ("[ceilings]", "", ""),
    ("ceilings.invalid_rate", "", "0.10  # REPLACE"),
    ("ceilings.infra_rate", "", "0.10  # REPLACE"),
    ("[metric]", "", ""),
    ("metric.headline", '"headline_pass_rate"', ""),
    ("metric.scorer", '"tests"', ""),
    ("[cite]", "", ""),
    ("cite.sentence", '"REPLACE"', ""),
    ("cite.rule", '"REPLACE"', ""),
    ("[provenance]", "", ""),
    ("provenance.operator", '"REPLACE"', ""),
    ("provenance.purpose", '"REPLACE"', ""),
)
OPTIONAL = """
# What follows is optional; take the "# " away in front of what you need.

# The endpoint's allowance and terms as read on a date; assumed quota or permanence refuses the seal.
# [terms]
# allowance = "..."
# reset_rule = "..."
# source = "..."
# read_on = 2026-01-31

# How the gateway carries calls of a model. Two further budgets may stand above: `calls` of an attempt under [budget],
# and under [run] `run_cap_tokens`, all tokens of the run.
# [gateway]
# retries = 2                   # further tries of one call, outside working time; 0 is none
# retry_on = ["rate_limited", "server_error", "connect"]
# wait_max_s = 60               # the longest wait before a try
# bodies = "keep"               # or "digests": no texts, so no cassette and no spend --estimate
# cassette = "tape"             # a recording answers in the provider's place (denominator runs cassette)
# probe = "answers"             # a probe of this endpoint: what it learned is sealed, and held against the run's calls
# volatile = ["metadata.id"]    # places of a request that may differ from the recording

# A fault that the gateway makes in the provider's place; an attempt that it ended is INFRA (docs/formats/cassette.md).
# [[gateway.fault]]
# kind = "rate_limit"           # or rate_limit_wait, server_error, cut_stream, slow_drip, wrong_usage, no_answer
# task = "page-count"           # also repeat, attempt, call, times, value

# The one primary comparison (the second arm against the first) and its family, declared before the run. What is meant
# to differ stands at the top of this file: treatment = ["arm.model.id"]
# [comparison]
# primary = ["A", "B"]
# family = []                   # further pairs, "A:C"; their p values are adjusted together
# question = "difference"       # or "non_inferior", "equivalent", which need a margin
# margin = 0.05                 # a share of draws
# test = "exact"                # or "midp"
# alpha = 0.05
# looks = 0                     # how often it may be looked at before its end
# delivered_floor = 0.95        # the least share of attempts in which the treatment must really have been there

# A rule of the house: a bound of a metric that has to be kept; it can only add findings.
# [[clause]]
# name = "floor"
# metric = "headline"
# of = "lower"                  # value, lower, upper or numerator
# at_least = 0.40
# why = "below this we do not ship"

# Why something is weaker than in the previous seal of this pack and arm; without a reason it blocks.
# [[loosen]]
# field = "budget.wall_s"
# why = "the new disks are slower"
# who = "the lead"

# A waiver of one rule of the gate, until a day; printed wherever the number goes (denominator explain GL035).
# [[allow]]
# rule = "inconclusive-control"
# why = "the provider was down for an hour"
# who = "the lead"
# until = 2026-12-31
"""


def envelope_template() -> str:
    """The text of a new envelope.toml."""
    return render(_HEAD, {}) + OPTIONAL


def render(head: str, values: Mapping[str, str | None]) -> str:
    """The template under a head of its own, with `values` in place of what stands here; None leaves a line out."""
    return head + "".join(_line(path, values.get(path, value), example) for path, value, example in _LINES)


def _line(path: str, value: str | None, example: str) -> str:
    if value is None:
        return ""
    if path.startswith("["):
        return f"\n{_remark(path.strip('[]'))}{path}\n" if path == "[arm.env]" else f"\n{path}\n"
    key = path.rsplit(".", 1)[-1]
    shown = f"{key} = {_filled(value, path)}" if value else f"# {key} = {example}"
    return f"{'' if path.startswith('arm.env.') else _remark(path)}{shown}\n"


def _remark(path: str) -> str:
    return f"# {HINTS[path]}\n"


def _filled(value: str, path: str) -> str:
    return f'"REPLACE: {path}"' if value == '"REPLACE"' else value


def demo_envelope(
    label: str, agent: str, *, version: str, script: str = "", python: str = "/usr/bin/python3", repeats: int = 1
) -> Envelope:
    """The complete envelope of `demo`: an agent without a model on the built-in pack."""
    return Envelope(
        question=f"Does the harness measure agent {agent} on holdout16 as it must?",
        pack="holdout16",
        arm=(Arm(label=label, agent=agent, agent_version=version, script=script, model=ModelTerms(id="none")),),
        budget=Budget(wall_s=60, working_s=60, tool_calls=200, attempts=1, repeats=repeats),
        policy=Policy(on_timeout="fail", retry=RetryPolicy(rate_limited=0, server_error=0, timeout=0, infra=0)),
        sandbox=SandboxTerms(
            backend="bubblewrap",
            network="none",
            memory_mb=512,
            processes=64,
            disk_mb=128,
            file_mb=32,
            python=python,
        ),
        run=RunTerms(concurrency=2, warmup_tasks=0),
        ceilings=Ceilings(invalid_rate="0.10", infra_rate="0.10"),
        metric=Metric(headline="headline_pass_rate", scorer="tests"),
        cite=Cite(
            sentence=f"The harness ran agent {agent} on holdout16; the number says nothing about any model.",
            rule="never: a demo shows the harness",
        ),
        provenance=RunProvenance(operator="whoever typed `denominator demo`", purpose="demo"),
    )
