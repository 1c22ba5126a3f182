"""The events of a log as the facts that they amount to, under the names that a `meta.json` uses for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from denominator.importers.logs.calls import Calls, fold_calls
from denominator.readers.logs import LogEvent, LogRead

DEADLINE = "harness_deadline"
FACTS: Mapping[str, Mapping[str, str]] = {
    "agent_done": {"exit": "agent_exit", "code": "agent_exit", "patch_bytes": "patch_bytes", "signal": "exit_signal"},
    "agent_exit": {"exit": "agent_exit", "code": "agent_exit", "signal": "exit_signal"},
    "agent_end": {"exit": "agent_exit", "code": "agent_exit", "signal": "exit_signal"},
    "verify_done": {"exit": "verify_exit", "code": "verify_exit", "tests_executed": "tests_executed"},
    "verify_exit": {"exit": "verify_exit", "code": "verify_exit"},
    "clean_reverify": {"exit": "clean_reverify_exit", "code": "clean_reverify_exit"},
    "setup_done": {"exit": "setup_exit", "code": "setup_exit"},
    "setup_exit": {"exit": "setup_exit", "code": "setup_exit"},
    "wall_cap": {"cap_s": "wall_cap_s"},
    "working_cap": {"cap_s": "working_cap_s"},
}
"""Event -> its value -> the fact that it is."""
ENDS = ("agent_done", "agent_exit", "agent_end", "wall_cap", "working_cap", "sandbox_exit", "container_exit")
STARTS = ("start", "agent_start", "agent_started")
SANDBOX = ("sandbox_exit", "container_exit", "pod_exit")
CAPS = ("wall_cap", "working_cap")
OTHER_CAPS = ("command_cap", "per_command_cap", "tool_cap", "default_cap", "job_cap")
"""Limits that are not the agent's own: what they ended is censored."""


@dataclass(slots=True)
class Story:
    """What the events say. `told_by` names the event of each fact; `clashes` are facts that two events deny each other."""

    facts: dict[str, object] = field(default_factory=dict)
    told_by: dict[str, str] = field(default_factory=dict)
    clashes: list[str] = field(default_factory=list)
    at: dict[str, int] = field(default_factory=dict)
    pods: list[dict[str, object]] = field(default_factory=list)
    elapsed_ms: int | None = None
    calls: Calls = field(default_factory=Calls)
    cut: bool = False


def story_of(log: LogRead | None) -> Story:
    """The story of a log; an empty one without a log."""
    story = Story()
    if log is None:
        return story
    for event in log.events:
        _take(story, event)
    first = next((event.at_ms for event in log.events if event.name in STARTS), None)
    last = max((event.at_ms for event in log.events), default=0)
    end = min((event.at_ms for event in log.events if event.name in ENDS), default=last)
    story.elapsed_ms = end - first if first is not None and end > first else None
    capped = any(name in story.at for name in CAPS)
    story.calls = fold_calls(log.events, end if capped else max(end, last), capped=capped)
    story.cut = log.lost_events > 0
    return story


def _take(story: Story, event: LogEvent) -> None:
    story.at.setdefault(event.name, event.at_ms)
    for key, fact in FACTS.get(event.name, {}).items():
        _say(story, fact, event.values.get(key), event)
    if event.name in CAPS and ("reached" in event.words or event.values.get("signal") is not None or not event.words):
        _say(story, "killed_by", DEADLINE, event)
    if event.name in OTHER_CAPS:
        _say(story, "killed_by", event.name, event)
    if event.name in SANDBOX:
        _container(story, event)
    if event.name in ("agent_start", "agent_started"):
        _say(story, "agent_started", True, event)
    if event.name == "image_pull":
        story.facts["image_pull"] = {**_table(story.facts.get("image_pull")), **event.values, "at_ms": event.at_ms}
    if event.name in ("pod_event", "node_event", "pod_status"):
        story.pods.append({**event.values, "at_ms": event.at_ms, "seq": event.seq})


def _container(story: Story, event: LogEvent) -> None:
    told = {"exit_code": event.values.get("code", event.values.get("exit")), **_flags(event)}
    known = {key: value for key, value in told.items() if value is not None}
    story.facts["container"] = {**_table(story.facts.get("container")), **known}


def _flags(event: LogEvent) -> dict[str, object]:
    return {key: event.values.get(key) for key in ("oom_killed", "container_died", "signal")}


def _say(story: Story, fact: str, value: object, event: LogEvent) -> None:
    if value is None:
        return
    by = f"event {event.seq} {event.name}"
    if story.facts.setdefault(fact, value) != value:
        story.clashes.append(f"{fact}: {story.told_by[fact]} says {story.facts[fact]}, {by} says {value}")
    story.told_by.setdefault(fact, by)


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def disagreements(story: Story, facts: Mapping[str, object]) -> Iterable[str]:
    """What the collected facts and the log's own events say against each other; nobody may choose between them silently."""
    yield from story.clashes
    for fact, value in story.facts.items():
        stated = facts.get(fact)
        if stated is None or fact in ("container", "image_pull", "killed_by"):
            continue
        if stated != value:
            yield f"{fact}: facts say {stated}, {story.told_by.get(fact, 'the log')} says {value}"
    container, seen = _table(facts.get("container")), _table(story.facts.get("container"))
    for key in container.keys() & seen.keys():
        if container[key] is not None and container[key] != seen[key]:
            yield f"container.{key}: facts say {container[key]}, the log says {seen[key]}"
    yield from _provider(story.calls, _table(facts.get("provider")))


def _provider(calls: Calls, told: Mapping[str, object]) -> Iterable[str]:
    if told.get("gave_up") is True and calls.seen and calls.lost is None and calls.recovered:
        yield "provider.gave_up: facts say true, a later call of the log was answered"
    status = told.get("last_status", told.get("status"))
    if calls.last_status is not None and isinstance(status, int) and status != calls.last_status:
        yield f"provider.last_status: facts say {status}, the log's last call says {calls.last_status}"
