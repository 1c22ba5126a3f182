"""One trajectory of SWE-agent as facts; the conversation itself is not kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from denominator.errors import InputError
from denominator.importers.agentruns import Handed, counted, handed, table_of
from denominator.importers.beyond import beyond_in
from denominator.importers.foreign import digest
from denominator.readers.trajectories.plain import dollars, objects
from denominator.records.facts import OwnAccount
from denominator.records.values import NotMeasured
from denominator.wire.sources import loose_json

SOURCE = "SWE-agent"
BY_HARNESS = "Exit due to "
"""The harness's own message begins so; anything else in its place is the agent's."""
MESSAGE = 1000
TRIES = 64
"""So many tries of a retry agent are kept by their endings."""


@dataclass(slots=True)
class Trajectory:
    """What a trajectory says. `status` None: none was written yet. `tries` are the endings of a retry agent's tries."""

    status: str | None = None
    submission: Handed | None = None
    message: str = ""
    account: OwnAccount | None = None
    calls: int | None = None
    steps: int = 0
    settings: dict[str, object] = field(default_factory=dict)
    tries: tuple[str, ...] = ()
    chosen: int | None = None
    execution_ms: int | None = None
    looked_beyond: tuple[str, ...] = ()


def trajectory_of(value: object) -> Trajectory | None:
    """A trajectory of any version; None where it is none."""
    if not isinstance(value, dict) or not (isinstance(value.get("trajectory"), list) or _tries(value)):
        return None
    info, steps = table_of(value, "info"), objects(value.get("trajectory"))
    stats = table_of(info, "model_stats")
    status = info.get("exit_status")
    found = Trajectory(
        status=status if isinstance(status, str) else None,
        submission=handed(info.get("submission")),
        calls=counted(stats.get("api_calls")),
        account=_account(stats),
        steps=len(steps),
        tries=tuple(_text(table_of(one, "info").get("exit_status")) for one in _tries(value)[:TRIES]),
        chosen=counted(info.get("best_attempt_idx")),
        execution_ms=_execution(steps),
        looked_beyond=beyond_in(("bash", action) for one in steps if (action := _text(one.get("action")))),
    )
    last = steps[-1] if steps else {}
    said = _text(last.get("thought")) or _text(last.get("response"))
    if said.startswith(BY_HARNESS):
        found.message = said[:MESSAGE]
    found.settings = _versions(info) | settings_of(replay_of(value.get("replay_config")))
    return found


def _tries(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    return objects(value.get("attempts"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _execution(steps: list[dict[str, Any]]) -> int | None:
    """Milliseconds that its commands took; unknown where a step does not say it."""
    times = [one.get("execution_time") for one in steps]
    if not times or not all(isinstance(one, int | Decimal) and not isinstance(one, bool) and one >= 0 for one in times):
        return None
    return int(sum((Decimal(one) for one in times if one is not None), Decimal(0)) * 1000)


def _account(stats: Mapping[str, Any]) -> OwnAccount:
    """SWE-agent's own counts: of a retry agent they hold all its tries."""
    calls, sent = counted(stats.get("api_calls")), counted(stats.get("tokens_sent"))
    lost = NotMeasured("it counts 0 tokens for calls that were made") if calls and not sent else None
    told = {
        "prompt": sent,
        "completion": counted(stats.get("tokens_received")),
        "calls": calls,
    }
    known: dict[str, Any] = {
        name: NotMeasured("it does not count it") if number is None else number for name, number in told.items()
    }
    if lost is not None:
        known |= {"prompt": lost, "completion": lost}
    return OwnAccount(source=SOURCE, cost=dollars(stats.get("instance_cost")), **known)


def replay_of(value: object) -> dict[str, Any]:
    """The settings that a trajectory keeps: an object, or JSON inside a text."""
    if isinstance(value, str):
        try:
            value = loose_json(value.encode("utf-8", "surrogatepass"), "replay_config")
        except InputError:
            return {}
    return value if isinstance(value, dict) else {}


def _versions(info: Mapping[str, Any]) -> dict[str, object]:
    version, commit = _text(info.get("swe_agent_version")), _text(info.get("swe_agent_hash"))
    found = {"agent_version": version, "harness_version": version, "harness_commit": commit}
    found["swe_rex_version"] = _text(info.get("swe_rex_version"))
    return {name: value for name, value in found.items() if value and value != "unavailable"}


def settings_of(config: Mapping[str, Any]) -> dict[str, object]:
    """The conditions in a configuration of version 1.x, or in `args.yaml` of versions 0.x."""
    agent = table_of(config, "agent")
    inner = objects(agent.get("agent_configs")) or [agent]
    models = [table_of(one, "model") for one in inner]
    names = sorted({name for one in models if (name := _text(one.get("name")) or _text(one.get("model_name")))})
    first, tools = models[0], table_of(inner[0], "tools")
    loop = table_of(agent, "retry_loop")
    found: dict[str, object] = {
        "model_id": ", ".join(names),
        "temperature": first.get("temperature"),
        "top_p": first.get("top_p"),
        "cost_cap_usd": _cap(loop.get("cost_limit", first.get("per_instance_cost_limit"))),
        "run_cost_cap_usd": _cap(first.get("total_cost_limit")),
        "call_cap": _cap(first.get("per_instance_call_limit")),
        "max_output_tokens": first.get("max_output_tokens"),
        "transport_retries": table_of(first, "retry").get("retries"),
        "format_errors_max": inner[0].get("max_requeries"),
        "tool_timeout_s": tools.get("execution_timeout"),
        "tools_time_cap_s": tools.get("total_execution_timeout"),
        "sandbox": _text(table_of(config, "env", "deployment").get("type")),
        "selection": _selection(loop),
        "prompt_template_sha256": _prompt(inner[0]),
    }
    return {name: value for name, value in found.items() if isinstance(value, str | int | Decimal) and value != ""}


def _selection(loop: Mapping[str, Any]) -> str:
    """How the agent itself chooses among its tries; nothing where it makes one."""
    if not loop:
        return ""
    most, kind = counted(loop.get("max_attempts")), _text(loop.get("type")) or "a reviewer"
    return f"the agent's own {kind} chooses among up to {'?' if most is None else most} tries"


def _cap(value: object) -> object:
    """A limit; 0 switches it off."""
    return "none" if value == 0 and not isinstance(value, bool) else value


def _prompt(agent: Mapping[str, Any]) -> str:
    templates = {
        name: text
        for place in (table_of(agent, "templates"), table_of(agent, "config"))
        for name, text in place.items()
        if name.endswith("_template") and isinstance(text, str)
    }
    return digest(templates) if templates else ""
