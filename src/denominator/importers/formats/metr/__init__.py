"""METR's `all_runs.jsonl`: one line a run of one task by one agent, people among them.

What is read: every file of lines with `run_id`, `task_id`, `alias` and `score_binarized`. Each alias is a part; with several files
in a folder a part is file and alias ("all_runs.2025-02-05: GPT-4o"). Runs of one task by one alias are its repeats, in the order
of the file; nothing in the file is a retry. Aliases are listed from the first 4 MB of a file; any other can be named too.

Traps:
- The file lists the runs that exist, not those that were scheduled, and tasks have from 1 to almost 100 of them: a mean over runs
  is another number than a mean over tasks. The weights beside each run (`equal_task_weight`, `invsqrt_task_weight`) make other
  numbers again; they are kept with the row and used for nothing here.
- `fatal_error_from = usageLimits` ended the run at its own limits: the model's ending, whatever the score. Such a run was scored
  all the same, and some of them passed. Leaving them out moves every rate. Other sources are the agent's, or the harness's.
- `score_binarized` is `score` cut at a threshold of the task, which the file does not hold: a judgement, not a fact.
- `time_limit` is 0 for people, and many runs last longer than theirs: it is not the wall clock that was held against it.
- `total_tokens` is null for every model; for people it is a number that was computed from money, with fractions.
- People's runs have numbers as ids and begin in 1970: the clock of such a row is how long they worked.
- One word in `model` may stand for several aliases.
- Revisions of the file say other things of the same run id: other scores, and runs that belong to another alias.

What was done: no plan is made of the rows. A pass at usage limits counts as the source counts it: where the file holds one, its
policy is to grade what was left (`on_timeout = "grade"`). Where a folder holds several revisions, the others are held against
the chosen one run by run; another alias or another `score_binarized` blocks. People are said to be people.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.foreign import chosen, undeclared
from denominator.importers.formats.metr.endings import ENDINGS
from denominator.importers.formats.metr.rows import Reading, rows_of
from denominator.importers.formats.metr.survey import PEOPLE, Survey, parts_of, surveys_of
from denominator.records.foreign import ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source

LOOKED_AT = 4 << 20


class Metr:
    """Lines of runs, one alias at a time."""

    name = "metr"
    title = "METR all_runs.jsonl: runs of tasks by agents and people"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "metr runs name a model by a short word, not what answered",
        "agent_version": "metr runs name an alias, not a version of an agent",
        "harness_version": "metr runs record no version of the harness",
        "harness_commit": "metr runs record no commit",
        "scoring_script_sha256": "metr runs record no digest of the scoring, and no threshold",
        "env_image_digest": "metr runs record no image",
        "temperature": "metr runs record no sampling parameters",
        "seed": "metr runs record no seed",
        "max_output_tokens": "metr runs record no limit on answers",
        "budget_tokens_per_task": "metr runs say that usage limits ended a run, and not how much they were",
        "tool_timeout_s": "metr runs record no limit of tools",
        "wall_cap_s": "metr runs hold a time_limit that many runs exceed",
        "retry_policy": "metr runs record no retries",
        "concurrency": "metr runs do not say how many ran at once",
        "network": "metr runs do not say whether there was a network",
        "task_slice_sha256": "metr runs hold no digest of the tasks",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Files whose first line has the four keys."""
        places = parts_of(files, surveys_of(files, LOOKED_AT), LOOKED_AT)
        parts = tuple(Part(name=name, title=place.title) for name, place in places.items())
        return Recognition(why="lines with run_id, alias and score_binarized", parts=parts) if parts else None

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The runs of one alias."""
        surveys = surveys_of(files)
        parts = parts_of(files, surveys)
        name = chosen([Part(name=one) for one in parts], part, files.name).name
        file, alias, _ = parts[name]
        others = tuple(other for other in surveys if other != file)
        told = Told(files={file: "rows"} | dict.fromkeys(others, "another revision of the rows"))
        document, unknown = _conditions(alias, surveys[file])
        return ForeignRun(
            name=name,
            arm=alias,
            document={"run_id": name, "name": "METR runs", "agent_id": alias, **document},
            declared=undeclared(name, "a file of METR lists the runs that exist, not those that were scheduled"),
            rows=rows_of(files, Reading(name, file, alias, others), told),
            told=told,
            unknown=unknown,
        )


def _conditions(alias: str, survey: Survey) -> tuple[dict[str, object], dict[str, str]]:
    """The model, where its word is this alias' own, and what a pass at usage limits is worth in this file."""
    words = survey.models.get(alias, set())
    policy: dict[str, object] = {"on_timeout": "grade"} if survey.passed_at_limits else {}
    if alias == PEOPLE:
        return {**policy, "model_id": "none"}, {}
    if len(words) != 1:
        return policy, {"model_id": f"the runs of one alias name {len(words)} models"}
    word = next(iter(words))
    if sharing := sorted(other for other, said in survey.models.items() if word in said and other != alias):
        return policy, {"model_id": f"the word {word!r} stands for {alias!r} and for {', '.join(sharing[:4])!r}"}
    return {**policy, "model_id": word}, {}


IMPORTER = Metr()
