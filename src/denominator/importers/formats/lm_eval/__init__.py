"""lm-eval (lm-evaluation-harness): `results_<time>.json` and `samples_<task>_<time>.jsonl` of one model.

What is read: the file of results for conditions, plan and printed numbers; the file of samples line by line for the rows. A run is
one task under one filter, and one metric where several are printed: each of them is another number. Which one is meant
is for a person to choose.

Traps
- There is a line for each document and each filter. Filters read the same answers in different ways: they are no repeats, and
  counting lines counts every document several times. Only the lines of the chosen filter are rows.
- With `repeats` the answers stand in `resps` of one line, and the filter makes one of them. They are one draw; that there
  were several is told.
- `effective` below `original` means that `--limit` was used. Scheduled are all documents of the task (`original`); those that
  were not run have no row.
- A metric of 0 or 1 a document is a verdict. Every other value (a likelihood, an overlap, a list) is not: the row has no
  verdict, and no number is made. The same holds for a metric of which less is wanted.
- Without `--log_samples` there are printed numbers and no rows: that is refused.
- Groups print a mean over tasks. It is kept as printed, and it is no rate of a task.
- `total_evaluation_time_seconds` is a text, and it is of all tasks together.
- `git_hash` is of the folder that lm-eval was started in, which may be another repository.
- `task_hashes` digest the documents with their prompts and targets as they were run: under a limit only those.
- Several processes can write a document twice. Equal lines count once; lines that differ block.
- A cache of answers (`use_cache`) makes answers older than the run. Which ones is not recorded; that there was one is told.

What was done about each stands beside it. Values of arguments that name keys, and paths, are not carried over.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.importers.foreign import chosen
from denominator.importers.formats.lm_eval import stated
from denominator.importers.formats.lm_eval.results import NO_FILTER, Run, runs_of, table
from denominator.importers.formats.lm_eval.rows import MISSING, OPEN, RIGHT, WRONG, Rows
from denominator.records.foreign import Ending, ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source


class LmEval:
    """A task under a filter."""

    name = "lm-eval"
    title = "lm-eval: results and samples of a task under a filter"
    endings: tuple[Ending, ...] = (RIGHT, WRONG, OPEN, MISSING)
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "lm-eval records the name of a model; which snapshot was loaded or answered it does not",
        "agent_id": "lm-eval asks models directly: there is no agent",
        "agent_version": "lm-eval asks models directly: there is no agent",
        "harness_commit": "lm-eval records the commit of the folder that it was started in, which may be another repository",
        "scoring_script_sha256": "lm-eval records names of metrics and filters, no digest of their code",
        "env_image_digest": "lm-eval records nothing of the image it runs in",
        "budget_tokens_per_task": "lm-eval has no budget of tokens for a document",
        "wall_cap_s": "lm-eval has no limit of time for a document",
        "retry_policy": "lm-eval records nothing of calls that were made again",
        "network": "lm-eval records nothing of the network",
        "tool_list_digest": "lm-eval gives models no tools",
        "tool_timeout_s": "lm-eval gives models no tools",
        "pass_from": "lm-eval draws no line from which on a metric has passed",
        "controls": "lm-eval knows no tasks that must fail",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Files of results and of samples by their names, then by the keys that lm-eval writes."""
        try:
            runs, _ = runs_of(files)
        except InputError:
            return None
        if not runs:
            return None
        parts = tuple(Part(name=run.name, title=_title(run)) for run in runs)
        return Recognition(
            why=f"{len(parts)} tasks by filter and metric, in files named as lm-eval names them", parts=parts
        )

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One task under one filter."""
        runs, faults = runs_of(files)
        if not runs:
            what = "; ".join(f"{name}: {fault}" for name, fault in list(faults.items())[:3])
            raise InputError(f"holds no result of lm-eval{f' ({what})' if what else ''}", where=files.name)
        one = chosen([Part(name=run.name) for run in runs], part, files.name)
        run = next(found for found in runs if found.name == one.name)
        if not run.samples:
            what = f"prints numbers of {run.task} and holds none of its rows"
            fix = "name the folder that holds samples_*.jsonl too; without --log_samples there are none"
            raise InputError(what, where=run.results, fix=fix)
        told = Told(files={run.samples: "rows"} | ({run.results: "results"} if run.results else {}))
        for name, fault in faults.items():
            told.say("broken_file", name, fault, blocks=False)
        plan, document = stated.plan_of(run, told), stated.document(run)
        told.published.extend(stated.published(run))
        told.notes.extend(stated.notes(run))
        return ForeignRun(
            name=run.name,
            arm=str(document.get("model_id", "")),
            version=str(document.get("harness_version", "")),
            document=document,
            declared=plan,
            rows=Rows(files, run, told, {name for group in plan.tasks for name in group.tasks}).rows(),
            told=told,
            unknown=stated.unknown(run, document),
        )


def _title(run: Run) -> str:
    counts = table(run.of_task("n-samples"))
    many = (
        f", {counts['effective']} of {counts['original']} documents"
        if {"effective", "original"} <= counts.keys()
        else ""
    )
    return f"{run.task[:80]}, filter {run.filter or NO_FILTER}, {run.metric[:80] or 'no metric'}{many}" + (
        "" if run.samples else ", without rows"
    )


IMPORTER = LmEval()
