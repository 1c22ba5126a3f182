"""One trajectory of mini-swe-agent as facts; the conversation itself is not kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from denominator.importers.agentruns import Handed, counted, handed, table_of
from denominator.importers.beyond import beyond_in
from denominator.importers.foreign import digest
from denominator.readers.trajectories.plain import dollars, objects, stamp
from denominator.records.facts import OwnAccount
from denominator.records.rows import Count, Usage
from denominator.records.values import NotMeasured

FORMATS = ("mini-swe-agent-1", "mini-swe-agent-1.1")
TOLERANCE = Decimal("0.005")
"""Costs are sums of floating-point numbers: what differs by less than half a percent is the same."""
MESSAGE = 200
"""So much of the message of an exception is looked at."""
NO_USAGE = NotMeasured("the trajectory keeps no usage of its answers")
TEXT_MAX = 64 << 10
"""So much of an answer is searched for its command."""
SOURCE = "mini-swe-agent"


@dataclass(slots=True)
class Trajectory:
    """What a trajectory says. `status` None: its form keeps none, or it was not written yet."""

    task: str = ""
    status: str | None = None
    submission: Handed | None = None
    message: str = ""
    calls: int | None = None
    cost: Decimal | None = None
    format: str = ""
    settings: dict[str, object] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    account: OwnAccount | None = None
    billed: Decimal | None = None
    started_at: str = ""
    hosts: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    messages: int = 0
    looked_beyond: tuple[str, ...] = ()


def trajectory_of(value: object) -> Trajectory | None:
    """A trajectory of version 1.x or 2.x, or a bare list of messages; None where it is neither."""
    if isinstance(value, list):
        return _with_messages(Trajectory(format="a bare list of messages"), value) if _talk(value) else None
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return None
    info = table_of(value, "info")
    found = Trajectory(
        task=_text(value.get("instance_id")) or "",
        status=_text(info.get("exit_status")),
        submission=handed(info.get("submission")),
        message=(_text(info.get("exception_str")) or "")[:MESSAGE],
        calls=counted(table_of(info, "model_stats").get("api_calls")),
        cost=_amount(table_of(info, "model_stats").get("instance_cost")),
        format=_text(value.get("trajectory_format")) or "",
        settings=_settings(info),
    )
    return _with_messages(found, value["messages"])


def _talk(messages: list[Any]) -> bool:
    return bool(messages) and all(isinstance(one, dict) and isinstance(one.get("role"), str) for one in messages)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _amount(value: object) -> Decimal | None:
    return Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) and value >= 0 else None


def _with_messages(found: Trajectory, messages: list[Any]) -> Trajectory:
    talk = objects(messages)
    last = table_of(talk[-1], "extra") if talk and talk[-1].get("role") == "exit" else {}
    if found.status is None and "exit_status" in last:
        found.status, found.submission = _text(last["exit_status"]), handed(last.get("submission"))
    answers = [table_of(one, "extra", "response") for one in talk if table_of(one, "extra", "response")]
    found.messages = len(talk)
    found.looked_beyond = beyond_in(_calls(talk))
    found.usage = _usage(answers, found.calls)
    found.billed = _billed(talk)
    found.hosts = tuple(sorted({one["provider"] for one in answers if isinstance(one.get("provider"), str)}))
    found.models = tuple(sorted({one["model"] for one in answers if isinstance(one.get("model"), str)}))
    stamps = [stamp(when) for one in talk if (when := _when(one)) is not None]
    found.started_at = min((one for one in stamps if one), default="")
    found.account = _account(found)
    return found


FENCED = re.compile(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL)
"""How a model without tool calls writes its command."""


def _calls(talk: list[dict[str, Any]]) -> Iterator[tuple[str, object]]:
    """The commands of the agent's answers: tool calls, actions that were kept, or a command in its text."""
    for one in talk:
        if one.get("role") != "assistant":
            continue
        called = [table_of(call, "function") for call in objects(one.get("tool_calls"))]
        actions = objects(table_of(one, "extra").get("actions"))
        if called or actions:
            yield from ((str(call.get("name") or "bash"), call.get("arguments")) for call in called)
            yield from (("bash", action) for action in actions if not called)
        elif isinstance(text := one.get("content"), str):
            yield from (("bash", hit[1]) for hit in FENCED.finditer(text[:TEXT_MAX]))


def _when(message: Mapping[str, Any]) -> object:
    extra = table_of(message, "extra")
    return extra.get("timestamp") or table_of(extra, "response").get("created")


def _usage(answers: list[dict[str, Any]], calls: int | None) -> Usage:
    """Sums over the answers that were kept. Calls that failed are counted by the agent and left no usage."""
    told = [one["usage"] for one in answers if isinstance(one.get("usage"), dict)]
    started = NotMeasured("the trajectory counts no calls") if calls is None else calls
    if not told:
        return Usage(prompt=NO_USAGE, completion=NO_USAGE, calls=started, complete=False)
    return Usage(
        prompt=_sum(one.get("prompt_tokens") for one in told),
        completion=_sum(one.get("completion_tokens") for one in told),
        cached_read=_sum(
            table_of(one, "prompt_tokens_details").get("cached_tokens", one.get("cache_read_input_tokens"))
            for one in told
        ),
        cache_write=_sum(one.get("cache_creation_input_tokens") for one in told),
        reasoning=_sum(table_of(one, "completion_tokens_details").get("reasoning_tokens") for one in told),
        calls=started,
        complete=calls is not None and len(told) >= calls,
    )


def _sum(values: Any) -> Count:
    numbers = [counted(one) for one in values]
    if any(one is None for one in numbers):
        return NotMeasured("not every answer tells it")
    return sum(one for one in numbers if one is not None)


def _billed(talk: list[dict[str, Any]]) -> Decimal | None:
    """What the messages say that each call cost, whoever wrote them: a reply that could not be parsed was billed too."""
    costs = [_amount(table_of(one, "extra").get("cost")) for one in talk]
    if not any(one is not None for one in costs):
        costs = [_amount(table_of(one, "extra", "response", "usage").get("cost")) for one in talk]
    known = [one for one in costs if one is not None]
    return sum(known, Decimal(0)) if known else None


def under_billed(found: Trajectory) -> bool:
    """Do its calls sum to more than the cost that it states?"""
    if found.billed is None or found.cost is None:
        return False
    return found.billed > found.cost + max(found.billed * TOLERANCE, Decimal("0.000001"))


def _account(found: Trajectory) -> OwnAccount:
    cost = dollars(found.cost)
    if under_billed(found):
        cost = NotMeasured(f"its calls sum to {found.billed} dollars, it counts {found.cost}")
    calls = NotMeasured("it counts no calls") if found.calls is None else found.calls
    return OwnAccount(source=SOURCE, cost=cost, calls=calls)


def _settings(info: Mapping[str, Any]) -> dict[str, object]:
    """The conditions that a trajectory records, in the words of a manifest."""
    agent, model = table_of(info, "config", "agent"), table_of(info, "config", "model")
    box, given = table_of(info, "config", "environment"), table_of(info, "config", "model", "model_kwargs")
    version = _text(info.get("mini_version"))
    found: dict[str, object] = {
        "agent_version": version,
        "harness_version": version,
        "model_id": _text(model.get("model_name")),
        "temperature": given.get("temperature"),
        "seed": given.get("seed"),
        "max_output_tokens": given.get("max_tokens", given.get("max_completion_tokens")),
        "turn_cap": _cap(agent.get("step_limit")),
        "cost_cap_usd": _cap(agent.get("cost_limit")),
        "wall_cap_s": _cap(agent.get("wall_time_limit_seconds")),
        "format_errors_max": agent.get("max_consecutive_format_errors"),
        "tool_timeout_s": box.get("timeout"),
        "sandbox": _short(table_of(info, "config").get("environment_type")),
        "model_class": _short(table_of(info, "config").get("model_type")),
        "prompt_template_sha256": _prompt(agent),
    }
    return {name: value for name, value in found.items() if isinstance(value, str | int | Decimal) and value != ""}


def _cap(value: object) -> object:
    """A limit; 0 switches it off."""
    return "none" if value == 0 and not isinstance(value, bool) else value


def _short(value: object) -> str | None:
    """A class without its module: the module of a harness of one's own may be a path."""
    return value.rpartition(".")[2] if isinstance(value, str) else None


def _prompt(agent: Mapping[str, Any]) -> str | None:
    told = {name: agent[name] for name in ("system_template", "instance_template") if isinstance(agent.get(name), str)}
    return digest(told) if told else None
