"""SWE-bench/experiments: submissions of the public leaderboard, and the boards themselves.

What is read: a submission folder or a tree `evaluation/<split>/<submission>/` (each is a run): `metadata.yaml` or `.yml` in both
shapes, `results/results.json` in three, `per_instance_details.json`, `all_preds.jsonl` or `preds.json`,
`logs/<instance>/` as of the harness, `resolved_by_repo.json` and `resolved_by_time.json`, `index.json` of a split. And
`data/leaderboards.json`: each row of each board is a run.

Lists and states. A run report: as on the page swebench. `{no_generation, no_logs, resolved}`: what was handed in and stands in no
list was graded and not resolved. The older ten lists: the first of no_generation, install_fail, reset_failed, no_apply,
test_timeout, test_errored, no_logs, resolved holds; then applied is not resolved; generated and not with_logs is without logs.

Traps
- A list of resolved ids can hold one id five times (241 entries, 213 ids): each counts once, and the entries are published.
- The ids that were not resolved are in no file: the complement is taken in the dataset. Its number is known by the split's name
  (verified 500, bash-only 500, lite 300, test 2294, multimodal 517, multilingual 300), its ids only where predictions,
  the ten lists or `index.json` name them. Without them the rest has no rows, and is not called a failure by name.
- `checked` is true, false, nothing, or the template's text "false (See README...)", which a program takes for true.
- attempts "2+" is several tries, nobody says how many and how one was chosen: max_attempts stays unknown. "1" is one.
- Several models in the tags: no file says which one did what, so model_id stays unknown.
- The percent in `info.resolved` and on the boards is typed by hand; it need not be k of n. It is published, never a result.
- `per_instance_details.json` prints a cost of 0 where nothing was measured: unknown.
- A file of predictions can hold more ids than were evaluated; what nobody evaluated is told, and blocks.
- null and "" are empty patches; which of them is kept in no result.
- A row of the board "bash-only" stands on "Verified" too: told, for both are one run.
- Logs and trajectories are moved away after the merge, run_instance.log is deleted: an error's reason is mostly gone.

What was done: scheduled is the number of the split (or of a run report, or the sums by repository), with ids where a file names
them. Sums beside the list are held against it, and block where they differ.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.importers.foreign import chosen
from denominator.importers.formats.swebench_experiments.leaderboard import read_row, rows_in
from denominator.importers.formats.swebench_experiments.submission import (
    Place,
    is_submission,
    places_of,
    read_submission,
)  # fmt: skip
from denominator.importers.swebench import endings
from denominator.importers.swebench.submissions import submission_folders
from denominator.records.foreign import ForeignRun, Part, Recognition
from denominator.records.values import counted
from denominator.wire.sources import Source

NAME = "swebench-experiments"


class SwebenchExperiments:
    """Submissions of the public leaderboard."""

    name = NAME
    title = "SWE-bench/experiments: submissions and leaderboards.json"
    endings = (*endings.EVERY, *endings.OF_OLD_LISTS)
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "swebench-experiments records a name of a model, not its snapshot",
        "harness_version": "swebench-experiments records no version of the harness that graded",
        "harness_commit": "swebench-experiments records no commit of the harness",
        "temperature": "swebench-experiments records nothing of the decoding",
        "seed": "swebench-experiments records nothing of the decoding",
        "max_output_tokens": "swebench-experiments records nothing of the decoding",
        "budget_tokens_per_task": "swebench-experiments records no limit of the agent",
        "wall_cap_s": "swebench-experiments records no limit of the agent",
        "tool_timeout_s": "swebench-experiments records no limit of the agent",
        "retry_policy": "swebench-experiments records no retries",
        "network": "swebench-experiments does not record whether the agent had a network",
        "env_image_digest": "swebench-experiments records no image",
        "scoring_script_sha256": "swebench-experiments records no digest of the grader",
        "task_slice_sha256": "swebench-experiments records no revision of the dataset",
        "on_timeout": "swebench-experiments does not record what became of work after a limit",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Submission folders, or the file of the boards."""
        places, (board, rows) = _places(files), rows_in(files)
        if not places and not rows:
            return None
        kinds = [counted(len(places), "submission")] if places else []
        kinds += [counted(len(rows), f"row of {board}", f"rows of {board}")] if rows else []
        parts = [Part(name=one.name) for one in places]
        parts += [Part(name=row.name, title=str(row.values.get("name") or "")) for row in rows]
        return Recognition(why=" and ".join(kinds), parts=tuple(parts))

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One submission, or one row of a board."""
        places, (board, rows) = _places(files), rows_in(files)
        if not places and not rows:
            raise InputError("holds no submission and no leaderboards.json", where=files.name)
        names = [Part(name=one) for one in (*(place.name for place in places), *(row.name for row in rows))]
        name = chosen(names, part, files.name).name
        for place in places:
            if place.name == name:
                return read_submission(files, place, NAME)
        return read_row(files, board, next(row for row in rows if row.name == name), rows, NAME)


def _places(files: Source) -> list[Place]:
    return places_of(files, [one for one in submission_folders(files) if is_submission(files, one)])


IMPORTER = SwebenchExperiments()
