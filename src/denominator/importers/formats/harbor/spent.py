"""What a trial's agent says that it spent and did: `agent_result`, else its ATIF trajectory. Nobody else counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from denominator.errors import InputError
from denominator.importers.beyond import beyond_in_read
from denominator.importers.formats.harbor.layout import holds, table, tables, word
from denominator.importers.measured import cost_or, count_or, spent_or
from denominator.readers.tools import facts_of, trajectory_calls
from denominator.records.facts import OwnAccount, ToolFacts
from denominator.records.foreign import Told
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from denominator.wire.sources import Source, loose_json

if TYPE_CHECKING:
    from denominator.importers.formats.harbor.verdict import Trial

TRAJECTORY = "agent/trajectory.json"
NO_TOKENS = "the agent told Harbor no tokens"
NO_COST = "the agent told Harbor no cost"
NO_CALLS = "no trajectory says how many calls of a model there were"
NO_TRAJECTORY = NotMeasured("the trial keeps no trajectory")
BY_STEP = NotMeasured("a trial of several steps keeps a trajectory a step; none of them is read")
CUT = NotMeasured("the agent was stopped; what it spent last may be missing")
COUNTS = ("n_input_tokens", "n_cache_tokens", "n_output_tokens")
FINAL = ("total_prompt_tokens", "total_cached_tokens", "total_completion_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens, the agent's account with its cost, tool calls, and what a reader may want beside them."""

    usage: Usage
    account: OwnAccount | NotMeasured
    tools: ToolFacts | NotMeasured
    looked_beyond: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


def spent_of(trial: Trial, files: Source, result: Mapping[str, Any], exception: str, told: Told) -> Spent:
    """Input tokens hold the cached ones; steps of one trial are summed, a trial's own totals never with them."""
    steps = tables(result.get("step_results"))
    parts = [table(result["agent_result"])] if table(result.get("agent_result")) else [
        table(one.get("agent_result")) for one in steps if table(one.get("agent_result"))
    ]  # fmt: skip
    atif, why = _trajectory(trial, files, bool(steps), told)
    final = table(atif.get("final_metrics"))
    names, tables_read, source = COUNTS, parts, "agent_result"
    if not any(one.get("n_input_tokens") for one in parts) and final.get(FINAL[0]):
        names, tables_read, source = FINAL, [final], "trajectory"
    elif parts and final:
        _hold_against(trial, parts, final, told)
    prompt, cached, completion = (_sum(tables_read, name) for name in names)
    calls = _calls(atif)
    whole = not exception and not isinstance(prompt, NotMeasured) and not isinstance(completion, NotMeasured)
    usage = Usage(
        prompt=prompt,
        cached_read=cached,
        completion=completion,
        calls=calls,
        complete=whole or (CUT if exception else False),
    )
    cost = _cost(parts, final)
    account = OwnAccount(
        source=f"harbor {source}", prompt=prompt, completion=completion, cached=cached, cost=cost, calls=calls
    )
    read = trajectory_calls(atif) if atif else why
    return Spent(
        usage=usage,
        account=account if parts or final else NotMeasured(NO_TOKENS),
        tools=facts_of(read, "trajectory") if atif else why,
        looked_beyond=beyond_in_read(read),
        extra=_extra(atif),
    )


def _trajectory(trial: Trial, files: Source, by_step: bool, told: Told) -> tuple[Mapping[str, Any], NotMeasured]:
    name = trial.file(TRAJECTORY)
    if by_step:
        return {}, BY_STEP
    if not holds(files, name):
        return {}, NO_TRAJECTORY
    try:
        found = loose_json(files.read(name), name)
    except InputError as error:
        told.say("broken_trajectory", name, f"{error.what}; tool calls are not known", trial.task, blocks=False)
        return {}, NotMeasured("the trajectory cannot be read")
    told.files[name] = "trajectory"
    return table(found), NotMeasured("the trajectory is no JSON object")


def _sum(parts: list[Mapping[str, Any]], name: str) -> int | NotMeasured:
    """A count over the parts; one that is missing somewhere is unknown, for a smaller sum would be wrong."""
    read = spent_or if name in (COUNTS[0], COUNTS[2], FINAL[0], FINAL[2]) else count_or
    found = [read(one.get(name), NO_TOKENS) for one in parts]
    known = [one for one in found if not isinstance(one, NotMeasured)]
    return sum(known) if found and len(known) == len(found) else NotMeasured(NO_TOKENS)


def _cost(parts: list[Mapping[str, Any]], final: Mapping[str, Any]) -> str | NotMeasured:
    told = [cost_or(one.get("cost_usd"), NO_COST) for one in parts] or [cost_or(final.get("total_cost_usd"), NO_COST)]
    known = [Decimal(one) for one in told if not isinstance(one, NotMeasured)]
    return format(sum(known, Decimal(0)), "f") if len(known) == len(told) else NotMeasured(NO_COST)


def _calls(atif: Mapping[str, Any]) -> int | NotMeasured:
    """Calls of a model as the trajectory counts them, where each of the agent's own steps says so."""
    own = [
        one for one in tables(atif.get("steps")) if one.get("source") == "agent" and not one.get("is_copied_context")
    ]
    found = [count_or(one.get("llm_call_count"), NO_CALLS) for one in own]
    known = [one for one in found if not isinstance(one, NotMeasured)]
    return sum(known) if own and len(known) == len(own) else NotMeasured(NO_CALLS)


def _hold_against(trial: Trial, parts: list[Mapping[str, Any]], final: Mapping[str, Any], told: Told) -> None:
    for ours, theirs in zip(COUNTS, FINAL, strict=True):
        one, other = _sum(parts, ours), _sum([final], theirs)
        if isinstance(one, int) and isinstance(other, int) and one != other:
            what = f"{theirs} is {other}, {ours} of result.json is {one}: the latter counts"
            told.say("usage_differs", trial.file(TRAJECTORY), what, trial.task, blocks=False)


def _extra(atif: Mapping[str, Any]) -> dict[str, object]:
    if not atif:
        return {}
    steps = [one for one in tables(atif.get("steps")) if not one.get("is_copied_context")]
    models = {word(one.get("model_name"))[:200] for one in steps} | {
        word(table(atif.get("agent")).get("model_name"))[:200]
    }
    own = sum(one.get("source") == "agent" for one in steps)
    return {
        "trajectory_version": word(atif.get("schema_version"))[:40],
        "trajectory_steps": len(steps),
        "trajectory_agent_steps": own,
        "trajectory_models": sorted(models - {""})[:20],
    }
