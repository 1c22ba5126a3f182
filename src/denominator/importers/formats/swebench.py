"""SWE-bench harness: run reports, folders of logs, predictions, alone or together.

What is read
- Run reports, by what they hold: `<model>.<run id>.json` of every version (schema_version 2 with the marks of 5.x; the older
  one whose list is called `resolved`), or `results.json` beside the logs.
- Log folders `logs/run_evaluation/<run id>/<model>/<instance>/`: `report.json` wrapped in its id or flat, `run_instance.log`,
  `test_output.txt`, `patch.diff`; `run.json` of the run. A folder `<anything>/<instance>/` of the same members is read too.
- Predictions (`.json` table or list, `.jsonl`), by what they hold.
A folder may hold several runs; a report goes with the log folder of its name, predictions with the runs of their model.

One state for each id. The lists of a report are no partition: an id whose report.json is empty or cut is completed and an
error at once. The first of these holds: pending, failed, error, empty, unresolved, resolved, incomplete; a list alone never
makes a pass out of an overlap. Where the instance's own report.json can be read, it outranks the lists, and a disagreement
blocks.
- resolved, unresolved: graded; by report.json with its tests, else by the list alone (low confidence).
- error: no report; the harness's mark, its logs and its errors say why, in this order.
- empty: nothing was handed in. incomplete: of the dataset, and nobody handed anything in: scheduled, no row.

Traps
- `patch_successfully_applied` means that a log could be parsed, not that a patch was applied. It is kept, and decides nothing.
- An agent that crashed or met its limit leaves an empty patch, and the lists say only that. Where the agent's exit statuses lie
  beside (`exit_statuses_*.yaml`, `run_batch_exit_statuses.yaml`) they say whose it was; else it is noted that nobody knows.
- `patch_exists` is true for an empty patch, and such a patch can have a report of tests: it stays an empty patch.
- An existing report.json is returned whatever the patch is: the key is run id, model and instance. Another `patch.diff`
  than the prediction blocks.
- Of predictions under one id the last is graded, silently: told, with the line that counts.
- submitted_ids may hold ids that are not of the dataset: they are told, stay in the plan, and block.
- `infra_failure` and `ambiguous_failure` are marks over unresolved and error, read from logs: nothing leaves the
  denominator. A mark of the environment makes the row unscoreable; an ambiguous one does so only where no test is named.
- Resolved true that its own tests deny, with an empty table of tests, with no test of FAIL_TO_PASS that passed, or whose test
  command failed while its output names no failed test (a patch can print passes) blocks. Resolved false with all of
  FAIL_TO_PASS passed is a regression.
- Names of tests can be cut at a space inside their brackets, or differ by spaces from those that are printed: told, for such
  a verdict may be of another test.
- An instance that a list calls unresolved, whose folder has no report but an error of the harness, was not graded: it is
  what the error says, told, and stays in the denominator.
- `gold` is the harness's own word for the reference patches: a run of them is a check of the dataset, and is noted.
- Between 4.1 and 5.0 the grading changed, and no file says which version graded.
- Printed text can be forged: a text counts at the head of a harness message, in the harness's errors, and at the end of the
  output only.
- A run in which nothing could be run writes no report at all: its predictions are rows that nobody graded, and that blocks.
- `--instance_ids` leaves no trace: the ids that were left out stand under incomplete_ids, and are scheduled here.

What was done
Scheduled: the predictions' ids and every id of the report, held against total_instances; without both nobody knows, for rows
are no plan. Duplicates count once. One unreadable report is a failure of the harness, and the rest is read. Every printed count
is kept as published.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.importers.foreign import chosen
from denominator.importers.swebench import endings
from denominator.importers.swebench.agents import OF_AGENTS, statuses_of
from denominator.importers.swebench.choosing import choose_predictions
from denominator.importers.swebench.discovery import FoundRun, find_reports, find_runs
from denominator.importers.swebench.hosted import is_hosted
from denominator.importers.swebench.lists import RunReport, read_report
from denominator.importers.swebench.runs import Run, plan_of, rows_of
from denominator.importers.swebench.submissions import submission_folders
from denominator.importers.swebench.trees import joined
from denominator.records.foreign import ForeignRun, Part, Recognition, Told
from denominator.records.values import counted
from denominator.wire.sources import Source, loose_json

NAME = "swebench"
GOLD = "gold"
"""What the harness calls the reference patches when it grades them."""
KINDS = (
    ("report", ("run report", "")),
    ("tree", ("folder of logs", "folders of logs")),
    ("predictions", ("run with predictions", "runs with predictions")),
)
RENAMED, ROWS = "output.", ("jsonl", "critic_attempt_1.jsonl")
"""How other tools name a run report that they moved: their own importers know more."""


class Swebench:
    """Runs of the SWE-bench harness."""

    name = NAME
    title = "SWE-bench harness: run reports, logs/run_evaluation, predictions"
    endings = (*endings.EVERY, *OF_AGENTS)
    cannot_tell: Mapping[str, str] = {
        "agent_id": "swebench records a name for the predictions, not the agent that made them",
        "agent_version": "swebench records no version of the agent",
        "harness_version": "swebench records no version of itself, and its grading changed between 4.1 and 5.0",
        "harness_commit": "swebench records no commit of itself",
        "model_id": "swebench records a name that the submitter chose, not the model that was called",
        "model_snapshot": "swebench records no snapshot of the model",
        "temperature": "swebench records nothing of the decoding",
        "seed": "swebench records nothing of the decoding",
        "max_output_tokens": "swebench records nothing of the decoding",
        "budget_tokens_per_task": "swebench records no limit of the agent",
        "wall_cap_s": "swebench records no limit of the agent",
        "tool_timeout_s": "swebench records no limit of the agent",
        "retry_policy": "swebench records no retries, neither of the agent nor of the grading",
        "network": "swebench does not record whether the agent had a network",
        "env_image_digest": "swebench names images without their digests",
        "scoring_script_sha256": "swebench records no digest of the grader",
        "task_slice_sha256": "swebench records no revision of the dataset",
        "on_timeout": "swebench does not record what became of work after a limit",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Run reports, folders of instances, or predictions, outside of submission folders."""
        runs = _runs(files)
        if not runs:
            return None
        sure = any(run.tree is not None or (run.report and not _is_moved(files, run.report)) for run in runs)
        held = ((sum(bool(getattr(run, part)) for run in runs), words) for part, words in KINDS)
        kinds = [counted(number, *words) for number, words in held if number]
        return Recognition(why=", ".join(kinds), parts=tuple(_part(run) for run in runs), sure=sure)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One run."""
        runs = _runs(files)
        if not runs:
            raise InputError("holds no run of the SWE-bench harness", where=files.name)
        name = chosen([_part(run) for run in runs], part, files.name).name
        found = next(run for run in runs if run.name == name)
        told = Told()
        run = Run(found.name, NAME, files, told, tree=found.tree)
        if found.report:
            run.report = _report(files, found.report, told)
        run.predictions = choose_predictions(files, found.predictions, found.tree, told)
        handed = run.predictions.file if run.predictions is not None else ""
        run.agent = statuses_of(files, handed.rpartition("/")[0], told)
        if found.model == GOLD or run.name.startswith(f"{GOLD}."):
            told.notes.append("gold: what was handed in are the reference patches, no agent's work")
        return ForeignRun(
            name=run.name,
            arm=found.model or run.name,
            document=_document(files, found, run),
            declared=plan_of(run),
            rows=rows_of(run),
            told=told,
        )


def _is_moved(files: Source, report: str) -> bool:
    """Does a report lie beside rows of another tool, or under the name that such a tool gives it?"""
    folder, _, last = report.rpartition("/")
    return last.startswith(RENAMED) or any(joined(folder, f"{RENAMED}{one}") in files.names() for one in ROWS)


def _runs(files: Source) -> list[FoundRun]:
    skip = submission_folders(files)
    return find_runs(files, [name for name in find_reports(files, skip) if not is_hosted(files, name)], skip)


def _report(files: Source, name: str, told: Told) -> RunReport:
    told.files[name] = "run report"
    return read_report(files, name, told)


def _part(run: FoundRun) -> Part:
    what = [run.report and "report", run.tree and f"{len(run.tree.of)} instances", run.predictions and "predictions"]
    return Part(name=run.name, title=", ".join(str(one) for one in what if one))


def _document(files: Source, found: FoundRun, run: Run) -> dict[str, object]:
    """What the harness records beside the rows; the predictions' name of the model is a name, and no model_id."""
    document: dict[str, object] = {"run_id": run.name, "harness_name": "SWE-bench", "scorer": "tests"}
    beside = found.tree.root.rpartition("/")[0] if found.tree is not None else ""
    name = joined(beside, "run.json")
    if found.tree is None or name not in files.names():
        return document
    try:
        told = loose_json(files.read(name), name)
    except InputError as error:
        run.told.say("unreadable_member", name, error.what, blocks=False)
        return document
    if isinstance(told, dict):
        run.told.files[name] = "what the run was made of"
        dataset = {
            key: told[word]
            for word, key in (("dataset", "name"), ("split", "split"))
            if isinstance(told.get(word), str)
        }
        document |= {"dataset": dataset} if dataset else {}
        document |= {"started_at_utc": told["created_at"]} if isinstance(told.get("created_at"), str) else {}
    return document


IMPORTER = Swebench()
