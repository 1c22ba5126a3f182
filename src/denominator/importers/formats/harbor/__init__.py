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

from collections.abc import Mapping

from denominator.importers.foreign import chosen
from denominator.importers.formats.harbor.endings import ENDINGS
from denominator.importers.formats.harbor.job import read_run, runs_of, title_of
from denominator.importers.formats.harbor.layout import JOB, places
from denominator.records.foreign import Ending, ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source


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
        parts = tuple(Part(name=run.name, title=title_of(run)) for one in found for run in runs_of(one, files, None))
        if not parts:
            return None
        jobs = sum(one.kind == JOB for one in found)
        what = f"{jobs} job folders" if jobs else "trial folders without a job"
        return Recognition(why=f"{what} of Harbor (config.json, lock.json, result.json)", parts=parts)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The run that was chosen: a job, or one agent of it."""
        told = Told()
        runs = [run for one in places(files) for run in runs_of(one, files, None)]
        name = chosen([Part(name=one.name) for one in runs], part, files.name).name
        place = next(one.place for one in runs if one.name == name)
        run = next(one for one in runs_of(place, files, told) if one.name == name)
        return read_run(run, files, told)


IMPORTER = Harbor()
