"""One run: a job, or one agent of it, or trials without a job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.importers.formats.harbor.finding import first_seen, found_trials
from denominator.importers.formats.harbor.layout import (
    JOB,
    Agent,
    Place,
    agents_of,
    document,
    table,
    tables,
)
from denominator.importers.formats.harbor.plan import (
    Plan,
    conditions,
    declaration,
    grades_late_work,
    of_config,
    of_lock,
)
from denominator.importers.formats.harbor.published import of_job
from denominator.importers.formats.harbor.trial import row_of
from denominator.importers.gathered import Gathered
from denominator.records.foreign import ForeignRow, ForeignRun, Told
from denominator.wire.sources import Source

NO_JOB = "trial folders alone do not say what their job scheduled"
NO_IDS = "the configuration names a data set and not its tasks, and there is no lock.json"


@dataclass(slots=True, kw_only=True)
class Run:
    """One run that is read: a job (or trials without one) and one of its agents (None: all there are)."""

    place: Place
    agent: Agent | None
    several: bool
    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    lock: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)


def runs_of(place: Place, files: Source, told: Told | None) -> Iterator[Run]:
    """The runs of a place: one an agent. `told` is None while it is only looked at."""
    job, looked = place.kind == JOB, told is None
    config = document(files, place.file("config.json"), told, "configuration of the job") if job else {}
    needed = job and not (looked and tables(config.get("agents")))
    lock = document(files, place.file("lock.json"), told, "lock of the job") if needed else {}
    result = document(files, place.file("result.json"), told, "numbers of the job") if job and not looked else {}
    agents = agents_of(config, lock)
    several = len(agents) > 1
    if told is not None and len(tables(config.get("agents"))) > max(1, len(agents)):
        where = place.file("config.json")
        told.say("same_agent_twice", where, "two agents of the job cannot be told apart in its trials")
    for agent in agents or (None,):
        name = f"{place.name}:{agent.label}" if several and agent else place.name
        yield Run(place=place, agent=agent, several=several, name=name, config=config, lock=lock, result=result)


def title_of(run: Run) -> str:
    what = "job" if run.place.kind == JOB else "trials without a job"
    return f"{what}, {len(run.place.trials)} trial folders" + (f", agent {run.agent.label}" if run.agent else "")


def read_run(run: Run, files: Source, told: Told) -> ForeignRun:
    place, mine = run.place, run.agent if run.several else None
    plan: Plan | None = None
    if tables(run.lock.get("trials")):
        plan = of_lock(run.lock, mine, place.file("lock.json"), told)
    elif place.kind == JOB:
        plan = of_config(run.config, place.file("config.json"), told)
    total = _total(run, plan, told)
    _interrupted(run, told)
    stated: dict[str, object] = {"run_id": run.name, "harness_name": "harbor", "scorer": "tests", "hidden_tests": True}
    config, lock, agent = (run.config, run.lock, run.agent) if place.kind == JOB else _of_trial(place, files)
    stated["on_timeout"] = "grade" if grades_late_work(config, lock) else "fail"
    stated |= conditions(config, lock, agent, plan) | first_seen(place, files, mine)
    return ForeignRun(
        name=run.name,
        arm=run.agent.label if run.agent else "",
        version=str(run.lock.get("schema_version", "")),
        document=stated,
        declared=declaration(run.name, plan, total, NO_JOB if place.kind != JOB else NO_IDS),
        rows=_rows(run, files, plan, told),
        told=told,
        unknown=_unknown(run),
    )


def _of_trial(place: Place, files: Source) -> tuple[Mapping[str, Any], Mapping[str, Any], Agent | None]:
    """What a trial alone records of its conditions; of several without a job nothing holds for all."""
    if len(place.trials) != 1:
        return {}, {}, None
    before = f"{place.trials[0]}/" if place.trials[0] else ""
    config = document(files, f"{before}config.json", None, "")
    config = config or table(document(files, f"{before}result.json", None, "").get("config"))
    lock = document(files, f"{before}lock.json", None, "")
    agents = agents_of({"agents": [config.get("agent") or lock.get("agent")]}, {})
    return config, {"trials": [lock]} if lock else {}, agents[0] if agents else None


def _total(run: Run, plan: Plan | None, told: Told) -> int | None:
    """How many trials the job says it has; of several agents the part of this one, where it divides."""
    total = run.result.get("n_total_trials")
    if not isinstance(total, int) or isinstance(total, bool) or total < 0:
        return None
    agents = len(agents_of(run.config, run.lock)) or 1
    if plan and plan.draws and not run.several and sum(plan.draws.values()) != total:
        what = f"{total} trials by result.json, {sum(plan.draws.values())} by the plan"
        told.say("plan_differs", run.place.file("result.json"), what)
    return total // agents if total % agents == 0 else None


def _interrupted(run: Run, told: Told) -> None:
    where, stats = run.place.file("result.json"), run.result.get("stats")
    if run.result and not run.result.get("finished_at"):
        told.say("interrupted", where, "the job has no end: it was interrupted, or it was still running", blocks=False)
    retries = stats.get("n_retries") if isinstance(stats, dict) else None
    if isinstance(retries, int) and retries > 0:
        what = f"{retries} trials were deleted and run again; their endings and their spend are not recorded"
        told.say("retried_inside", where, what, blocks=False)


def _unknown(run: Run) -> dict[str, str]:
    if run.lock:
        lacking = {"harness_commit": "the installed package names no commit"}
    else:
        why = "there is no lock.json, and nothing else records it"
        lacking = dict.fromkeys(("harness_version", "harness_commit", "task_slice_sha256"), why)
    return lacking | {"wall_cap_s": "how long an agent may take stands in each task, not in the job"}


def _rows(run: Run, files: Source, plan: Plan | None, told: Told) -> Iterator[ForeignRow]:
    agent = run.agent.identity if run.agent and run.several else ""
    trials, versions, valid = found_trials(run.place, files, plan, agent, told), Counter[str](), 0
    odd = Gathered()
    for trial in trials:
        row, judged = row_of(run.name, trial, files, told, odd)
        valid += judged.valid
        versions[row.row.extra.get("agent_version", "")] += 1
        yield row
    odd.tell(told)
    if not trials:
        told.say("no_rows", run.place.root or files.name, "there is no trial folder: a job's own files hold no trial")
    if len(named := sorted(set(versions) - {""})) > 1:
        told.say("mixed_agents", run.place.root or files.name, f"trials name agent versions {', '.join(named[:8])}")
    names = {trial.name for trial in trials}
    told.published += of_job(run.result, run.place.file("result.json"), names if run.several else None)
    if any(one.role == "rate" for one in told.published):
        scheduled = sum(plan.draws.values()) if plan else run.result.get("n_total_trials", "unknown")
        told.notes.append(
            f"the mean that Harbor prints is over {valid} trials with a valid reward; {scheduled} were scheduled, "
            f"{len(trials)} have a folder"
        )
