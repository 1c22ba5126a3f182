"""Every Eval Ever: aggregate documents of the shared datastore (`<uuid>.json`), with their rows (`<uuid>_samples.jsonl`).

What is read: every aggregate document of schema 0.x in a folder, and the file of rows that it names (the last part of the path
counts, in the same folder). A run is one result of one document: a document with two metrics holds two runs, and which one is
meant is for a person to choose. A document without rows is read for what it prints.

Traps
- `is_correct` is what a converter made of the score, and converters of the same schema make it by different rules: `score > 0` in
  one, `score == 1` in another, always false for metrics that are no correctness in a third. It is a verdict only where the score
  is one of both ends of the metric (`min_score`, `max_score`, else 0 and 1) and agrees with it: every other row has no verdict.
- Where an evaluation drew a sample several times and reduced the scores, every row of that sample carries the reduced score: a
  mean over repeats then stands at none of both ends. Reduced by `max` or a majority it cannot be told from a score.
- The schema has no state for what could not be scored. `error` is one text for timeouts, refusals, errors of interfaces and of
  the harness; a wrong row with an error beside it is no miss of the model, and nobody says whose it was.
- `num_samples` is how many samples the score was made of: those that were left. It is no plan. Scheduled are the `sample_ids` of
  the dataset where the document lists them (in a table of texts: with commas between them, and only where they are as many as
  `samples_number`), each as often as `epochs` or `repeats` says; `samples_number` is how many the dataset has, asked for or not.
- One sample has a row for each result. Rows of another result (`evaluation_result_id`, else `evaluation_name`) are not counted.
- Repeats have no field. `metadata.epoch`, or `metadata.repeat`, is read where it stands; without it a sample that stands twice
  with two different rows blocks.
- `input_tokens` may hold cached tokens or not: what the total is the sum of says which, else tokens of the prompt are unknown.
- All free tables hold texts. Names in them mean what each converter meant: beside digests, epochs and repeats none is read.
- Models that scored stand in `llm_scoring`, nowhere else: where it is there, the scorer is a model whatever the metric is called.
- `lower_is_better`: a row of such a metric has no verdict.

What was done about each stands beside it. Inputs, references, messages and answers are not carried over. A file of rows with
another digest or another number of rows than its document says is told; rows of another evaluation or another model block.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.foreign import chosen
from denominator.importers.formats.every_eval_ever import printed, stated
from denominator.importers.formats.every_eval_ever.documents import results_of, title_of
from denominator.importers.formats.every_eval_ever.rows import CORRECT, ERRED, INCORRECT, OPEN, Rows
from denominator.records.foreign import Ending, ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source


class EveryEvalEver:
    """One result of one aggregate document."""

    name = "every-eval-ever"
    title = "Every Eval Ever: aggregate documents, with their rows by instance"
    endings: tuple[Ending, ...] = (CORRECT, INCORRECT, ERRED, OPEN)
    cannot_tell: Mapping[str, str] = {
        "agent_id": "every-eval-ever has no field for an agent",
        "agent_version": "every-eval-ever has no field for the version of an agent",
        "harness_commit": "every-eval-ever records a version of the evaluation library, no commit",
        "scoring_script_sha256": "every-eval-ever names a metric, no digest of what scores",
        "env_image_digest": "every-eval-ever records a kind of sandbox, no digest of an image",
        "seed": "every-eval-ever has no field for a seed",
        "retry_policy": "every-eval-ever has no field for retries",
        "network": "every-eval-ever does not say whether there was a network",
        "tool_timeout_s": "every-eval-ever has no field for a limit of time of a tool",
        "pass_from": "every-eval-ever draws no line from which on a score has passed",
        "controls": "every-eval-ever knows no tasks that must fail",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """JSON documents with the keys of an aggregate."""
        found, _ = results_of(files)
        if not found:
            return None
        parts = tuple(Part(name=one.name, title=title_of(one)) for one in found)
        return Recognition(
            why=f"{len(parts)} results in documents with evaluation_id and evaluation_results", parts=parts
        )

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One result."""
        found, faults = results_of(files)
        name = chosen([Part(name=one.name) for one in found], part, files.name).name
        result = next(one for one in found if one.name == name)
        told = Told(files={result.file: "aggregate"} | ({result.samples: "rows"} if result.samples else {}))
        for file, fault in faults.items():
            told.say("broken_file", file, fault, blocks=False)
        told.published.extend(printed.published(result))
        document = stated.document(result)
        plan = stated.plan_of(result, told)
        return ForeignRun(
            name=name,
            arm=str(document.get("model_id", "")),
            version=str(document.get("schema_version", "")),
            document=document,
            declared=plan,
            rows=Rows(files, result, told, frozenset(one for group in plan.tasks for one in group.tasks)).rows(),
            told=told,
            unknown=stated.unknown(document),
        )


IMPORTER = EveryEvalEver()
