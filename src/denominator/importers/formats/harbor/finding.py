"""Which trial is which draw: its task from what it records, its repeat from the order in which trials of the task began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from denominator.importers.foreign import digest, readable_id
from denominator.importers.formats.harbor.layout import Agent, Place, document, identity_of, table, word
from denominator.importers.formats.harbor.plan import MOST_NAMED, Plan, task_name
from denominator.importers.formats.harbor.verdict import Trial
from denominator.records.foreign import Told
from denominator.wire.sources import Source

LAST = "~"
"""Sorts after every time: a trial without one began at a moment that nobody knows."""


class Seen(NamedTuple):
    """A trial folder as first looked at."""

    started: str
    folder: str
    name: str
    source: str
    digest: str
    agent: str
    id: str
    sha256: str
    regraded: str


def found_trials(place: Place, files: Source, plan: Plan | None, agent: str, told: Told) -> list[Trial]:
    """The trials of one agent ("" all of them), in the order of their draws."""
    known = plan or Plan()
    seen = [_look(files, folder) for folder in place.trials]
    seen = _each_once([one for one in seen if not agent or one.agent in (agent, "")], place.root or files.name, told)
    if plan is None or not plan.draws:
        for one in seen:
            known.sources.setdefault(one.name, set()).add(one.source)
    made: list[Trial] = []
    counted: dict[str, int] = {}
    digests: dict[str, set[str]] = {}
    for one in sorted(seen):
        where = f"{one.folder}/result.json" if one.folder else "result.json"
        name = one.name or _by_folder(one.folder, known)
        if not (task := readable_id(told, where, known.id_of(name, one.source))):
            continue
        counted[task] = counted.get(task, 0) + 1
        digests.setdefault(task, set(known.digests.get(task, ()))).update({one.digest} - {""})
        made.append(
            Trial(folder=one.folder, task=task, repeat=counted[task], numbered=counted[task] > 1 or plan is not None)
        )
    _compare(place, known, counted, digests, told)
    return sorted(made, key=lambda one: (one.task, one.repeat))


def first_seen(place: Place, files: Source, agent: Agent | None) -> dict[str, object]:
    """What only trials record of a run: the version of the agent, by the first trial with a result. Rows tell where it differs."""
    for folder in place.trials:
        result = document(files, f"{folder}/result.json" if folder else "result.json", None, "")
        used = table(table(result.get("config")).get("agent"))
        if agent is not None and identity_of(used) != agent.identity:
            continue
        if version := word(table(result.get("agent_info")).get("version")):
            return {"agent_version": version[:200]}
    return {}


def _each_once(seen: list[Seen], where: str, told: Told) -> list[Seen]:
    """A trial whose folder was copied stands there once; of trials that grade one agent's work again nobody knows which counts."""
    kept: dict[str, Seen] = {}
    again: dict[str, list[str]] = {}
    for one in seen:
        before = kept.setdefault(one.id or one.folder, one)
        if before is one:
            again.setdefault(one.regraded, []).append(one.name)
        elif before.sha256 == one.sha256:
            told.say("duplicate_rows", one.folder, f"a copy of {before.folder}: read once", one.name, blocks=False)
        else:
            told.say(
                "conflicting_rows",
                one.folder,
                f"another result of the trial in {before.folder}, which is kept",
                one.name,
            )
    again.pop("", None)
    for names in again.values():
        if len(names) > 1:
            told.say(
                "graded_again", where, "several trials grade the work of one earlier trial: it is one draw", names[0]
            )
    if again:
        names = sorted({some[0] for some in again.values()})[:MOST_NAMED]
        told.say("regraded", where, "trials grade again what agents left in earlier jobs", *names, blocks=False)
    return list(kept.values())


def _regraded(source: Mapping[str, Any]) -> str:
    """The earlier trial whose work this one grades again, or ""."""
    return (word(source.get("trial_id")) or digest(source)) if source else ""


def _compare(place: Place, plan: Plan, counted: Mapping[str, int], digests: Mapping[str, set[str]], told: Told) -> None:
    """Trials that the plan does not hold, and tasks whose content changed."""
    where = place.file("lock.json")
    if plan.draws:
        if foreign := sorted(task for task in counted if task not in plan.draws):
            told.say("foreign_id", where, "trials of tasks that the job did not schedule", *foreign[:MOST_NAMED])
        if more := sorted(task for task, times in counted.items() if 0 < plan.draws[task] < times):
            told.say("beyond_plan", where, "more trials of a task than the job scheduled", *more[:MOST_NAMED])
    if mixed := sorted(task for task, some in digests.items() if len(some) > 1):
        told.say(
            "mixed_content",
            where,
            "the digest of a task differs between plan and trials, or trials",
            *mixed[:MOST_NAMED],
        )


def _look(files: Source, folder: str) -> Seen:
    """What names a trial: its result, else its configuration; its own lock says the digest of its task."""
    before = f"{folder}/" if folder else ""
    result = document(files, f"{before}result.json", None, "")
    config = table(result.get("config")) or document(files, f"{before}config.json", None, "")
    lock = document(files, f"{before}lock.json", None, "")
    task, locked = table(result.get("task_id")) or table(config.get("task")), table(lock.get("task"))
    agent = table(config.get("agent")) or table(lock.get("agent"))
    return Seen(
        started=word(result.get("started_at")) or LAST,
        folder=folder,
        name=task_name(task) or word(locked.get("name")) or word(result.get("task_name")),
        source=_source(result, config, locked),
        digest=word(locked.get("digest")) or word(result.get("task_checksum")),
        agent=identity_of(agent) if agent else "",
        id=word(result.get("id")),
        sha256=digest(result) if result else "",
        regraded=_regraded(table(config.get("source_trial"))),
    )


def _source(*documents: Mapping[str, Any]) -> str:
    result, config, locked = documents
    return word(result.get("source")) or word(table(config.get("task")).get("source")) or word(locked.get("source"))


def _by_folder(folder: str, plan: Plan) -> str:
    """The task that a folder's name begins with: it is cut at 32 characters, so only where one task of the plan fits."""
    head = folder.rpartition("/")[2].rpartition("__")[0] or folder.rpartition("/")[2]
    fits = [name for name in plan.sources if name.rpartition("/")[2].startswith(head)]
    exact = [name for name in fits if name.rpartition("/")[2] == head]
    return exact[0] if len(exact) == 1 else fits[0] if len(fits) == 1 else head
