"""ATIF 1.8, the trajectory format of Harbor: one document an attempt that was started, in a folder.

Told is what the gateway recorded: a step for each answer of the model with the tokens that were counted for it, before it what
the model was shown, beside its tool calls what they gave back. Conversations beside the first one are sub-agents. Where the
traffic shows no tool call (agents that put commands into plain text) or was not kept, the agent's own trajectory is told, else
its tool log, else the prompt and how it ended; `extra.told_by` says which. A trajectory says what an agent did and nothing of
whether it passed, so no number is in it that could be withheld.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from denominator.errors import InputError
from denominator.readers.tools import read_tool_log
from denominator.readers.trajectories.story import UNKNOWN, VERSION, Story
from denominator.readers.trajectories.wire import wire_stories
from denominator.records.exports import AttemptTrace, Export
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from denominator.wire.names import safe_name

COUNTS = (("prompt", "prompt"), ("completion", "completion"), ("cached", "cached_read"))
"""Names of the format's token counts, and of ours: cached tokens are part of the prompt in both."""


class Atif:
    """A trajectory an attempt."""

    name = "atif"
    title = "ATIF 1.8 (Harbor): what the agent of each started attempt did, one trajectory a file"
    ending = "json"
    cannot_say = (
        "outcome, labels, grade and patch have no place: a trajectory is no result",
        "an attempt that never started has no file: no denominator can be made of the files",
        "several answers to one request are one: the first; calls that failed are steps of the system, their spend is in no metric",
        "a tool call's arguments are an object: free text stands under `value`",
        "of earlier incarnations of a resumed attempt nothing is told",
    )

    def files(self, run: Export) -> Iterator[tuple[str, bytes]]:
        """`TASK.rREPEAT.aATTEMPT.json`. InputError: the run keeps no events, or nothing of it was started."""
        if isinstance(run.traces, NotMeasured):
            raise InputError(
                run.traces.not_measured, where=run.card.run_id, fix="name a run of ours: denominator runs ls"
            )
        return self._files(run, iter(run.traces()))

    def _files(self, run: Export, traces: Iterator[AttemptTrace]) -> Iterator[tuple[str, bytes]]:
        for trace in traces:
            key = trace.row.key
            name = f"{safe_name(key.task_id)}.r{key.repeat}.a{key.attempt}.{self.ending}"
            yield name, written(trajectory(trace, run))


def trajectory(trace: AttemptTrace, run: Export) -> dict[str, Any]:
    """The document of one attempt."""
    key = trace.row.key
    id_ = f"{key.run_id}/{key.task_id}/r{key.repeat}/a{key.attempt}"
    told_by, document, others = _told(trace)
    document["trajectory_id"] = id_
    document.setdefault("session_id", id_)
    document["extra"] = dict(_about(trace, run)) | {"told_by": told_by}
    document["final_metrics"] = _final(trace.row.usage, document)
    document["steps"] = [_dated(step) for step in document["steps"]]
    for number, other in enumerate(others, start=2):
        other["trajectory_id"] = f"{id_}#{number}"
        document.setdefault("subagent_trajectories", []).append(other)
    return document


def written(document: Mapping[str, Any]) -> bytes:
    """JSON with keys in the format's order, halves of characters replaced, exact fractions as numbers where they can be."""
    return json.dumps(_clean(document), indent=1, allow_nan=False, ensure_ascii=False).encode() + b"\n"


def _told(trace: AttemptTrace) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
    """Who tells it, the main story, and those of sub-agents."""
    stories = wire_stories(trace.calls, trace.bodies, lambda: _story(trace))
    used = any("tool_calls" in step for story in stories for step in story.steps)
    if not isinstance(trace.own, NotMeasured) and not used:
        return "agent", dict(trace.own), []
    if stories:
        first, *others = [_document(story) for story in stories]
        return "gateway", first, others
    story = _story(trace)
    story.say("user", trace.prompt if isinstance(trace.prompt, str) else "(the prompt is not kept)")
    by = "tool_log" if _from_log(story, trace.log) else "harness"
    return by, _document(story), []


def _story(trace: AttemptTrace) -> Story:
    version = trace.agent_version if isinstance(trace.agent_version, str) else ""
    return Story(trace.agent or UNKNOWN, version or UNKNOWN, trace.model if isinstance(trace.model, str) else None)


def _document(story: Story) -> dict[str, Any]:
    agent = {"name": story.agent, "version": story.version}
    return {
        "schema_version": VERSION,
        "agent": agent | ({"model_name": story.model} if story.model else {}),
        "steps": story.steps,
    }


def _from_log(story: Story, log: bytes) -> bool:
    """The calls of the agent's own log: no model was asked, as far as the log says; results are digests only."""
    read = read_tool_log(log)
    if isinstance(read, NotMeasured):
        return False
    for call in read.calls:
        story.act("", [(f"log-{call.index + 1}", call.tool, None)])
        step: dict[str, Any] = story.steps[-1]
        told = step["tool_calls"][0]
        told["arguments"] = _exact(json.loads(call.arguments)) if isinstance(call.arguments, str) else {}
        more = {"result_sha256": call.result_sha256, "exit": call.exit}
        told["extra"] = {name: value for name, value in more.items() if not isinstance(value, NotMeasured)}
    return True


def _exact(value: Any) -> Any:
    """Canonical arguments with their numbers as numbers again."""
    if isinstance(value, dict):
        if list(value) == ["\0number"]:
            return Decimal(value["\0number"])
        return {name: _exact(one) for name, one in value.items()}
    return [_exact(one) for one in value] if isinstance(value, list) else value


def _about(trace: AttemptTrace, run: Export) -> Iterator[tuple[str, Any]]:
    row = trace.row
    yield from (("run_id", row.key.run_id), ("task_id", row.key.task_id))
    yield from (("repeat", row.key.repeat), ("attempt", row.key.attempt))
    for name in ("seal_digest", "pack_digest"):
        if value := getattr(run.card, name):
            yield name, value
    for name in ("agent_exit", "agent_signal", "agent_ms"):
        if not isinstance(value := getattr(row, name), NotMeasured):
            yield name, value
    yield "incarnations", row.incarnations


def _final(usage: Usage, document: Mapping[str, Any]) -> dict[str, Any]:
    """The sums that were counted by the gateway; what the agent counted itself stands beside where it is another number."""
    own = document.get("final_metrics")
    own = own if isinstance(own, Mapping) else {}
    counted = {theirs: getattr(usage, ours) for theirs, ours in COUNTS}
    known = {f"total_{name}_tokens": value for name, value in counted.items() if not isinstance(value, NotMeasured)}
    extra = dict(own.get("extra") or {})
    extra |= {f"own_{name}": value for name, value in own.items() if name in known and known[name] != value}
    extra |= {f"not_measured_{name}": v.not_measured for name, v in counted.items() if isinstance(v, NotMeasured)}
    extra["counted_by"] = "gateway" if known else "agent" if own else "nobody"
    if not isinstance(usage.complete, NotMeasured):
        extra["usage_complete"] = usage.complete
    if not isinstance(usage.calls, NotMeasured):
        extra["model_calls"] = usage.calls
    told = {name: value for name, value in own.items() if name != "extra" and not (known and name.endswith("_tokens"))}
    return told | known | {"total_steps": len(document["steps"]), "extra": extra}


def _dated(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step without a time that is none: agents write what they like there."""
    try:
        datetime.fromisoformat(str(step.get("timestamp", "2000-01-01")).replace("Z", "+00:00"))
    except ValueError:
        return {name: value for name, value in step.items() if name != "timestamp"}
    return dict(step)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Decimal):
        near = float(value)
        return near if value.is_finite() and Decimal(repr(near)) == value else str(value)
    if isinstance(value, Mapping):
        return {_clean(str(name)): _clean(one) for name, one in value.items()}
    return [_clean(one) for one in value] if isinstance(value, list | tuple) else value


EXPORTER = Atif()
