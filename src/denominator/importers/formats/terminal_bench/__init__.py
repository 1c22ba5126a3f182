"""Terminal-Bench 1.x (0.2.x): a run folder, a folder of runs, or a results.json by itself.

What is read: `results.json` of a run (one entry a trial), `run_metadata.json` and `tb.lock` beside it, and the
`results.json` of each trial folder `<task>/<task>.<k>-of-<n>.<run>/`: held against the run's table, and read where the
table has no row of it.

Scheduled: the task ids of `run_metadata.json`, else those of `tb.lock`, each `n_attempts` times; where no ids are
listed, `dataset_size` times `n_attempts` as a number. A `results.json` alone holds only what ended, so nothing is declared.
The attempts of a task were declared as samples and are its repeats: k of the trial's name `<task>.<k>-of-<n>.<run>`. There are
no retries inside a trial; a run that was resumed makes up for trials without a result.

Traps:
- `is_resolved` is null where no verdict came into being, and `accuracy` counts null as a failure.
- A task is resolved when all of its reported tests passed, and all of none is true: an empty report is "resolved".
- `agent_timeout` stands beside true and false alike: the tests run on what the agent left.
- `unset` is the failure mode of a trial that ended as it should.
- Copies of whole runs lie inside other runs, and submissions hold one run twice.
- The results of a trial may be missing where the table has its row, and a row where the folder has its results.
- 0.2.7 writes no `id`; `commit_hash` is "unknown" where the harness was no checkout; token counts are 0 or null for agents
  that count nothing, and there is no cost.
- `username`, `s3_bucket`, `output_path` and the words of the command name people and machines.
- Names of tests come from the text that a test run printed: a reason of a skip or an error can stand there as a test.

What was done: a null is never a failure: its mode says whose it is, and where no mode does the row has no verdict and no
reason, which blocks. A flag without a reported test, or against its tests, is no verdict. `unknown_agent_error`: tests that
are green count; red or none is unscoreable INFRA, low in confidence, for the error is not recorded.
`agent_installation_failed`: the tests judged the untouched tree; where they are green the task is a bad one. A timeout of the
agent is its own (`on_timeout = "grade"`) and marked. A copy of a run is read once and named; another run inside a run is
named and read by itself. Trials of another run, ids and attempts beyond the plan, two results of one attempt, and lists
(`resolved_ids`) that are not those of the rows block. User name, bucket and paths stay in the log; of the command its words
are kept, without paths and credentials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from denominator.importers.foreign import chosen
from denominator.importers.formats.terminal_bench.endings import ENDINGS
from denominator.importers.formats.terminal_bench.layout import (
    LOCK,
    METADATA,
    RESULTS,
    Place,
    document,
    runs_in,
    table,
    word,
)
from denominator.importers.formats.terminal_bench.plan import attempts_of, conditions, plan_of
from denominator.importers.formats.terminal_bench.published import hold_lists, of_run
from denominator.importers.formats.terminal_bench.reading import Reading, run_ids
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source, digest_of


class TerminalBench:
    """Runs of Terminal-Bench 1.x."""

    name = "terminal-bench"
    title = "Terminal-Bench 1.x: run folders, results.json"
    endings: tuple[Ending, ...] = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "Terminal-Bench records the model that was asked for, not the snapshot that answered",
        "served_model": "Terminal-Bench has no word of the provider",
        "scoring_script_sha256": "Terminal-Bench records no digest of the tests that it ran",
        "env_image_digest": "Terminal-Bench records no digest of its images",
        "task_slice_sha256": "Terminal-Bench records the name of a data set and its version, and no digest of a task",
        "temperature": "Terminal-Bench records no temperature but what stands among an agent's own arguments",
        "seed": "Terminal-Bench records no seed",
        "max_output_tokens": "Terminal-Bench records no cap on the length of an answer",
        "budget_tokens_per_task": "Terminal-Bench has no budget in tokens",
        "tool_timeout_s": "Terminal-Bench records no limit on a command; each agent has its own",
        "agent_version": "Terminal-Bench records no version of the agent",
        "retry_policy": "Terminal-Bench records no retries; a run that was resumed says only when",
        "network": "Terminal-Bench records no rule for the network; its tasks reach it",
        "prompt_id": "prompts stand in the data set",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Folders with the results, the metadata or the lock of a run, known by their first bytes."""
        found = runs_in(files)
        if not found:
            return None
        parts = tuple(Part(name=one.name, title=f"run in {one.root or files.name}") for one in found)
        return Recognition(
            why=f"{len(found)} runs of Terminal-Bench (results.json, run_metadata.json, tb.lock)", parts=parts
        )

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The run that was chosen, or the only one."""
        found = runs_in(files)
        name = chosen([Part(name=one.name) for one in found], part, files.name).name
        return _read(next(one for one in found if one.name == name), files, Told())


def _read(place: Place, files: Source, told: Told) -> ForeignRun:
    results = document(files, place.results, told, "rows")
    metadata = document(files, place.file(METADATA), told, "metadata of the run")
    lock = document(files, place.file(LOCK), told, "lock of the run")
    own_id = word(metadata.get("run_id")) or word(table(lock.get("local_config")).get("run_id"))
    _say_of_place(place, files, metadata, told)
    plan = plan_of(place.name, place, metadata, lock, told)
    listed = results.get("results")
    if results and not isinstance(listed, list):
        told.say("broken_file", place.results, "holds no list of results")
    trials = listed if isinstance(listed, list) else []
    if not own_id and len(several := run_ids(trials)) > 1:
        own_id = min(several)
    reading = Reading(
        run_id=place.name, place=place, files=files, told=told, own_id=own_id, attempts=attempts_of(metadata, lock),
        planned=frozenset(task for one in plan.tasks for task in one.tasks),
    )  # fmt: skip
    stated: dict[str, object] = {
        "run_id": place.name, "harness_name": "terminal-bench", "scorer": "tests", "hidden_tests": True, "on_timeout": "grade",
    }  # fmt: skip
    return ForeignRun(
        name=place.name,
        arm=place.name,
        document=stated | conditions(metadata, lock),
        declared=plan,
        rows=_rows(reading, trials, results, metadata),
        told=told,
        unknown=_unknown(metadata, lock),
    )


def _say_of_place(place: Place, files: Source, metadata: Mapping[str, Any], told: Told) -> None:
    """Copies, runs inside, an end that was put off."""
    mine = digest_of(files, place.results) if place.copies else ""
    for one in place.copies:
        if digest_of(files, f"{one}/{RESULTS}") == mine:
            told.say("nested_copy", one, "the same run lies here again, byte for byte: it is read once", blocks=False)
        else:
            told.say("two_results", one, "another result of the same run lies here: which one counts?")
    for one in place.inside:
        told.say("run_inside", one, "another run lies inside this one: its rows are not read with it", blocks=False)
    if not place.results:
        told.say(
            "no_results",
            place.root or METADATA,
            "the run wrote no results.json: its trial folders are read",
            blocks=False,
        )
    if metadata.get("resumed_at"):
        told.say(
            "resumed", place.file(METADATA), "the run was resumed; which trials ran again is not recorded", blocks=False
        )
    if metadata and not metadata.get("end_time"):
        told.say(
            "interrupted", place.file(METADATA), "the run has no end: it broke off, or was still running", blocks=False
        )


def _unknown(metadata: Mapping[str, Any], lock: Mapping[str, Any]) -> dict[str, str]:
    found = {"wall_cap_s": "how long an agent may take stands in each task, not in the run"}
    if not lock:
        found["harness_version"] = "there is no tb.lock, and nothing else records it"
    if metadata.get("commit_hash") in (None, "", "unknown"):
        found["harness_commit"] = "commit_hash is unknown: the harness was no checkout"
    if not metadata and not lock:
        why = "neither run_metadata.json nor tb.lock is there"
        found |= dict.fromkeys(("model_id", "agent_id"), why)
    return found


def _rows(
    reading: Reading, trials: list[object], results: Mapping[str, Any], metadata: Mapping[str, Any]
) -> Iterator[ForeignRow]:
    yield from reading.rows(trials)
    told, flags = reading.told, reading.flags
    told.published += of_run(reading.place, results, metadata)
    hold_lists(reading.place, results, reading.tabled, told)
    if nulls := sum(flag is None for flag in flags.values()):
        told.notes.append(
            f"{nulls} of {len(flags)} trials have no verdict; `accuracy` counts them as failures, and here they are none"
        )


IMPORTER = TerminalBench()
