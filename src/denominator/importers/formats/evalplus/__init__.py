"""EvalPlus results: `*_eval_results.json`, {date, hash, eval: {task: [sample, ...]}}.

What is read: every such file (or `eval_results.json`, where the samples were a folder), and `NAME.jsonl` with the samples
beside `NAME_eval_results.json`. A file is two parts: *base* (the tests of the original set) and *plus* (the many more that
EvalPlus adds). Samples of one task are its repeats, in their order.

Scheduled: the samples that lie beside, one line a draw, for they are what was to be graded; an answer that was never generated
is in neither file. Without them nothing says what was scheduled. HumanEval+ and MBPP+ have known sizes, which are told and
never used: a shorter file may be a subset.

Traps:
- A sample passes *plus* only where `base_status` and `plus_status` both are `pass`.
- One test that runs too long shows as `fail`, like a wrong answer; `timeout` says that the whole check did not end. On a slow host
  the same samples fail more often, and the host is not recorded.
- `null` says that these tests were not run (`--base-only`): no verdict, and no failure.
- A results file that lies there already is used again without a look at the samples: it may be of other ones.
- `hash` is of the tests, not of the samples. `date` is local time without a zone.

What was done: each sample is a draw with the grade of the chosen tests. A check that did not end is the model's, as a test that
hung. Where the samples lie beside, each solution is held against them, and a difference blocks. Files of the older shape
(`base`, `plus` as lists) are not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from denominator.errors import InputError
from denominator.importers.foreign import chosen
from denominator.importers.formats.evalplus.endings import ENDINGS
from denominator.importers.formats.evalplus.rows import rows_of
from denominator.importers.formats.evalplus.samples import Samples, samples_beside
from denominator.records.foreign import ForeignRun, Part, Published, Recognition, Told
from denominator.wire.sources import Source, loose_json

NAME = "eval_results.json"
LOOKED_AT = 1 << 20
SUITES = ("plus", "base")
SIZES = {"HumanEval/": ("HumanEval+", 164), "Mbpp/": ("MBPP+", 378)}
NAMED = re.compile(
    r"(.+)_(?:vllm|hf|openai|anthropic|google|bedrock|ollama|gptqmodel)_temp_([0-9]{1,3}(?:\.[0-9]{1,6})?)\Z"
)
"""How the tool names the file of a model and a temperature."""


class EvalPlus:
    """Samples by task, with the status of two sets of tests."""

    name = "evalplus"
    title = "EvalPlus: *_eval_results.json, base and plus"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "evalplus results record no model",
        "agent_id": "evalplus results record no agent: a model was asked once",
        "harness_version": "evalplus results record no version of EvalPlus",
        "harness_commit": "evalplus results record no commit",
        "scoring_script_sha256": "evalplus results record a hash of the tests, and no digest of the grader",
        "env_image_digest": "evalplus results record no image and no host",
        "seed": "evalplus results record no seed",
        "max_output_tokens": "evalplus results record no limit on answers",
        "budget_tokens_per_task": "evalplus results record no limit on tokens",
        "verify_timeout_s": "evalplus results record no time limit of tests",
        "retry_policy": "evalplus results record no retries",
        "concurrency": "evalplus results do not say how many checks ran at once",
        "prompt_template_sha256": "evalplus results record no prompt",
        "task_slice_sha256": "evalplus results record no digest of the prompts",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Files of that name in which samples have a status."""
        names = _parts(files)
        if not names:
            return None
        parts = tuple(Part(name=name, title=f"{file}, {suite} tests") for name, (file, suite) in names.items())
        return Recognition(why=f"samples with base_status and plus_status (*{NAME})", parts=parts)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The samples of one file, graded by one set of tests."""
        parts = _parts(files)
        name = chosen([Part(name=one) for one in parts], part, files.name).name
        file, suite = parts[name]
        found = _document(files, file)
        told = Told(files={file: "samples and their status"})
        run_id = f"{_stem(file).rpartition('/')[2] or files.name} {suite}"
        samples = samples_beside(files, f"{_stem(file)}.jsonl", told)
        told.published.extend(_published(found, suite, file))
        if isinstance(date := found.get("date"), str) and date.strip():
            told.notes.append(f"graded at {date.strip()[:40]}, local time without a zone")
        scheduled = samples.of if samples and samples.of else found["eval"]
        document, unknown = _conditions(file, found, suite)
        document["name"] = _name(scheduled, told)
        return ForeignRun(
            name=run_id,
            arm=run_id,
            document={"run_id": run_id, **document},
            declared=samples.declaration(run_id) if samples else Samples.unknown(run_id),
            rows=rows_of(run_id, file, found["eval"], suite, samples, told),
            told=told,
            unknown=unknown,
        )


def _parts(files: Source) -> dict[str, tuple[str, str]]:
    """(file, suite) by the name of the part."""
    found = [name for name in files.names() if name.endswith(("_" + NAME, "/" + NAME)) or name == NAME]
    found = [name for name in found if _is_results(files, name)]
    return {
        (suite if len(found) == 1 else f"{_stem(file) or files.name} {suite}"): (file, suite)
        for file in found
        for suite in SUITES
    }


def _stem(file: str) -> str:
    """The name of the samples that a file is of; for a folder of samples the folder's own."""
    return file.removesuffix(NAME).rstrip("_/")


def _is_results(files: Source, name: str) -> bool:
    try:
        with files.open(name) as stream:
            start = stream.read(LOOKED_AT)
    except InputError:
        return False
    return start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{" and b'"eval"' in start and b'"base_status"' in start


def _document(files: Source, file: str) -> dict[str, Any]:
    found = loose_json(files.read(file), file)
    if not isinstance(found, dict) or not isinstance(found.get("eval"), dict):
        raise InputError("is no object with the samples of each task under eval", where=file)
    return found


def _conditions(file: str, found: Mapping[str, Any], suite: str) -> tuple[dict[str, object], dict[str, str]]:
    document: dict[str, object] = {"harness_name": "EvalPlus", "scorer": "tests", "test_suite": suite}
    if isinstance(value := found.get("hash"), str) and value.strip():
        document["dataset_hash"] = value.strip()[:200]
    if told := NAMED.match(_stem(file).rpartition("/")[2]):
        return {**document, "model_id": told[1].replace("--", "/"), "temperature": Decimal(told[2])}, {}
    why = "evalplus results record no model and no sampling; the name of this file is not the tool's own"
    return document, {"model_id": why, "temperature": why}


def _name(tasks: Collection[str], told: Told) -> str:
    """What was run, by the ids of its tasks: a part of a set is not called by the name of the whole."""
    for start, (name, size) in SIZES.items():
        if tasks and all(task.startswith(start) for task in tasks):
            if len(tasks) != size:
                told.notes.append(f"{name} holds {size} tasks as its tool ships it, this file {len(tasks)}")
            more = f"{len(tasks)} tasks called as those of {name}"
            part = f"a part of {name} ({len(tasks)} of its {size} tasks)"
            return name if len(tasks) == size else part if len(tasks) < size else more
    return "EvalPlus"


def _published(found: Mapping[str, Any], suite: str, file: str) -> list[Published]:
    """pass@k as newer versions write it into the file."""
    table = found.get("pass_at_k")
    rates = table.get(suite) if isinstance(table, dict) else None
    return [
        Published(
            metric=f"{name[:40]} {suite}", value=format(value, "f") if isinstance(value, Decimal) else str(value),
            unit="share", role="rate", of="tasks of the file", unit_of="tasks", where=f"{file}#/pass_at_k/{suite}",
            reducer=name[:40].replace("@", "_at_"),
        )
        for name, value in (rates.items() if isinstance(rates, dict) else ())
        if isinstance(value, int | Decimal) and not isinstance(value, bool)
    ]  # fmt: skip


IMPORTER = EvalPlus()
