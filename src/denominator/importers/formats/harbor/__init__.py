"""Harbor: a job folder, a folder of jobs, or one trial folder.

What is read: of a job `config.json`, `lock.json` and `result.json`, and of every trial folder `<task>__<7>` its
`result.json`, else its `config.json`; beside them the trial's `lock.json` (digest of the task), the verifier's
`reward.json` or `reward.txt` (held against the result), `test-stdout.txt` (known texts, for people), and
`agent/trajectory.json` (ATIF 1.x: tool calls, steps, models, and tokens where the result has none). A job with several agents is
as many runs.

Scheduled: the entries of `lock.json`, one a trial; without a lock the tasks that the configuration lists one by one, times
`n_attempts`. Where it names a data set and not its tasks, only `n_total_trials` is known. Trial folders are never counted
for it. Trials of one task, by `started_at`, are its repeats: Harbor numbers none. A retry inside a trial deletes what came
before it, so each row is the last try.

Traps:
- The mean is over trials with a valid reward. A rate limit, a lost reward file, a verifier's timeout leave its denominator;
  the job's `n_trials` beside it is that smaller number, and `n_total_trials` the scheduled one.
- A reward stands after any exception that Harbor does not know, so a bug in the agent's adapter is a plain 0.
- A verifier that could not install its tools and wrote 0 is a plain 0 as well: no file shows it, and the exit status of its
  script is not recorded.
- Only the first exception of a trial (or step) is kept. Where the agent raised first and the verifier lost its reward
  afterwards, the second is nowhere.
- Rewards are numbers, several keys are allowed, and nothing records from which value on a trial is a pass.
- A trial folder without `result.json` was killed in its midst; a job whose `finished_at` is null was interrupted.
- Times of a job are local and name no zone; times of its trials are UTC.
- A retry leaves `n_retries` of the whole job and no trace in its trial; its spend is gone with it.
- `n_input_tokens` holds the cached tokens. Tokens and cost are the agent's own account; a cost of 0 is no cost.
- A regrade runs no agent: its trials take their work from trials of an earlier job.
- The folder's name cuts the task's name at 32 characters; two data sets may hold tasks of one name.
- Older files have `n_trials` and `n_errors` in the statistics, no `reward_valid`, no policy and no lock.

What was done: a reward of 1 is green and of 0 red, as facts; any other one is no verdict and blocks, and so do several
rewards of which none is called `reward` (a single one may have any name). Where Harbor calls the reward invalid it is kept
in the row's `extra` and is no verdict, whether it is 1 or 0; the exception decides. An exception that Harbor does not know
is told, and blocks where there is no reward. After `AgentTimeoutError` a reward counts and carries the mark of a timeout:
Harbor grades what is left (`on_timeout = "grade"`), unless the job's own error policy says otherwise. Its policy, as
recorded in the trial, goes before the table; what it changes is told. A name that two data sets share gets its data set
before it. A copied trial folder is read once; two trials that grade the work of one earlier trial block. Task digests that
differ between lock and trials, or between trials, block: one name, two tasks. Numbers of the job are published, never used.
Paths, credentials and user names are not carried over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.importers.foreign import chosen
from denominator.importers.formats.harbor.endings import ENDINGS
from denominator.importers.formats.harbor.finding import found_trials
from denominator.importers.formats.harbor.layout import (
    JOB,
    Agent,
    Place,
    agents_of,
    document,
    places,
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
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Recognition, Told
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


class Harbor:
    """Jobs and trials of Harbor."""

    name = "harbor"
    title = "Harbor: job folders, trial folders"
    endings: tuple[Ending, ...] = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "Harbor records the model that was asked for, not the snapshot that answered",
        "served_model": "Harbor has no word of the provider; a trajectory names the model that its agent asked",
        "scoring_script_sha256": "Harbor digests a task as a whole, its tests with it, and not its verifier alone",
        "env_image_digest": "Harbor records no digest of the image that it built or pulled",
        "temperature": "Harbor passes no temperature; what an agent sets by itself is not recorded",
        "seed": "Harbor records no seed",
        "max_output_tokens": "Harbor records no cap on the length of an answer",
        "budget_tokens_per_task": "Harbor has no budget in tokens",
        "tool_timeout_s": "Harbor records no limit on a tool call; each agent has its own",
        "network": "whether a task reaches the network stands in the task, not in the job",
        "prompt_id": "prompts stand in the tasks; a job holds their digests with the tasks'",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Folders with the three files of a job or a trial, known by their first bytes."""
        found = places(files)
        parts = tuple(Part(name=run.name, title=_title(run)) for one in found for run in _runs(one, files, None))
        if not parts:
            return None
        jobs = sum(one.kind == JOB for one in found)
        what = f"{jobs} job folders" if jobs else "trial folders without a job"
        return Recognition(why=f"{what} of Harbor (config.json, lock.json, result.json)", parts=parts)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The run that was chosen: a job, or one agent of it."""
        told = Told()
        runs = [run for one in places(files) for run in _runs(one, files, None)]
        name = chosen([Part(name=one.name) for one in runs], part, files.name).name
        place = next(one.place for one in runs if one.name == name)
        run = next(one for one in _runs(place, files, told) if one.name == name)
        return _read(run, files, told)


def _runs(place: Place, files: Source, told: Told | None) -> Iterator[Run]:
    """The runs of a place: one an agent. `told` is None while it is only looked at."""
    job, looked = place.kind == JOB, told is None
    config = document(files, place.file("config.json"), told, "configuration of the job") if job else {}
    needed = job and not (looked and tables(config.get("agents")))
    lock = document(files, place.file("lock.json"), told, "lock of the job") if needed else {}
    result = document(files, place.file("result.json"), told, "numbers of the job") if job and not looked else {}
    agents = agents_of(config, lock)
    several = len(agents) > 1
    for agent in agents or (None,):
        name = f"{place.name}:{agent.label}" if several and agent else place.name
        yield Run(place=place, agent=agent, several=several, name=name, config=config, lock=lock, result=result)
    if several and told is not None and len(tables(config.get("agents"))) > len(agents):
        told.say(
            "same_agent_twice", place.file("config.json"), "two agents of the job cannot be told apart in its trials"
        )


def _title(run: Run) -> str:
    what = "job" if run.place.kind == JOB else "trials without a job"
    return f"{what}, {len(run.place.trials)} trial folders" + (f", agent {run.agent.label}" if run.agent else "")


def _read(run: Run, files: Source, told: Told) -> ForeignRun:
    place, mine = run.place, run.agent if run.several else None
    plan: Plan | None = None
    if tables(run.lock.get("trials")):
        plan = of_lock(run.lock, mine, place.file("lock.json"), told)
    elif place.kind == JOB:
        plan = of_config(run.config, place.file("config.json"), told)
    total = _total(run, plan, told)
    _interrupted(run, told)
    stated: dict[str, object] = {"run_id": run.name, "harness_name": "harbor", "scorer": "tests", "hidden_tests": True}
    if place.kind == JOB:
        stated["on_timeout"] = "grade" if grades_late_work(run.config, run.lock) else "fail"
    stated |= conditions(run.config, run.lock, run.agent, plan)
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
    for trial in trials:
        row, judged = row_of(run.name, trial, files, told)
        valid += judged.valid
        versions[row.row.extra.get("agent_version", "")] += 1
        yield row
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


IMPORTER = Harbor()
