"""What a document states of one result: conditions, and what was scheduled."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from denominator.importers.carried import carried
from denominator.importers.foreign import declared, undeclared
from denominator.importers.formats.every_eval_ever.documents import Result, table, text
from denominator.importers.measured import count_or
from denominator.records.declarations import Declaration
from denominator.records.foreign import Told

IDS_MAX = 200_000
UNSAID = ("", "unknown", "not stated", "none", "n/a")
NO_PLAN = "the document lists no sample_ids: num_samples counts those that were left"


def run_id(result: Result) -> str:
    """The evaluation, and the result in it where the document has several."""
    return result.name


def document(result: Result) -> dict[str, object]:
    """Conditions that the document records, by the words of a manifest."""
    top, model, data = result.document, table(result.document.get("model_info")), result.inner("source_data")
    library, args = table(top.get("eval_library")), result.inner("generation_config", "generation_args")
    limits, more = table(args.get("eval_limits")), table(model.get("additional_details"))
    metric = result.inner("metric_config")
    found: dict[str, object] = {
        "run_id": run_id(result),
        "name": result.text("evaluation_name"),
        "schema_version": _said(top.get("schema_version")),
        "evaluation_id": _said(top.get("evaluation_id")),
        "dataset_name": _said(data.get("dataset_name")),
        "dataset_repo": _said(data.get("hf_repo")),
        "dataset_split": _said(data.get("hf_split")),
        "task_slice_sha256": _digest(table(data.get("additional_details")).get("task_slice_sha256")),
        "model_id": _said(model.get("id")) or _said(model.get("name")),
        "model_snapshot": _said(more.get("model_snapshot")),
        "inference_platform": _said(model.get("inference_platform")),
        "harness_name": _said(library.get("name")),
        "harness_version": _said(library.get("version")),
        "scorer": _scorer(metric),
        "headline_metric": _said(metric.get("metric_id")) or _said(metric.get("metric_name")),
        "source_type": _said(table(top.get("source_metadata")).get("source_type")),
        "evaluator_relationship": _said(table(top.get("source_metadata")).get("evaluator_relationship")),
        "plan_name": _said(table(args.get("eval_plan")).get("name")),
        "sandbox": _said(table(args.get("sandbox")).get("type")),
        "started_at_utc": _said(result.table.get("evaluation_timestamp")) or _said(top.get("evaluation_timestamp")),
        "temperature": _number(args.get("temperature")),
        "top_p": _number(args.get("top_p")),
        "max_output_tokens": _number(args.get("max_tokens")),
        "wall_cap_s": _number(limits.get("time_limit")),
        "turn_cap": _number(limits.get("message_limit")),
        "budget_tokens_per_task": _number(limits.get("token_limit")),
        "max_attempts": _number(args.get("max_attempts")),
    }
    return {name: value for name, value in found.items() if value not in ("", None)}


def _scorer(metric: Mapping[str, Any]) -> str:
    """What scored: models where the document names judges, else the name of the metric, which may hold such a word too."""
    if judges := metric.get("llm_scoring"):
        listed = table(judges).get("judges")
        named = (
            [_said(table(table(one).get("model_info")).get("id")) for one in listed or ()]
            if isinstance(listed, list)
            else []
        )
        return " ".join(("LLM judge", *(one for one in named[:5] if one)))
    return _said(metric.get("metric_name")) or _said(metric.get("metric_id"))


def _said(value: object) -> str:
    told = str(carried(text(value)))
    return "" if told.lower() in UNSAID else told


def _digest(value: object) -> str:
    told = text(value).removeprefix("sha256:")
    return told if len(told) == 64 and all(one in "0123456789abcdef" for one in told) else ""


def _number(value: object) -> object:
    return value if isinstance(value, int | Decimal) and not isinstance(value, bool) else None


def unknown(found: Mapping[str, object]) -> dict[str, str]:
    """Why fields that the format has are not known of this run."""
    why = {
        "model_id": "the document names no model",
        "model_snapshot": "the document names no snapshot of the model",
        "harness_version": "the document names no version of the evaluation library",
        "temperature": "the document states no temperature",
        "max_output_tokens": "the document states no limit of answers",
        "wall_cap_s": "the document states no limit of time",
        "turn_cap": "the document states no limit of messages",
        "budget_tokens_per_task": "the document states no limit of tokens",
        "task_slice_sha256": "the document holds no digest of its samples",
        "max_attempts": "the document does not say how many attempts there were",
        "sandbox": "the document names no sandbox",
    }
    return {name: reason for name, reason in why.items() if name not in found}


def plan_of(result: Result, told: Told) -> Declaration:
    """What was scheduled: the ids that the document lists, as often as it says that each was drawn."""
    name, where = run_id(result), f"{result.where}/source_data/sample_ids"
    known, many = _ids(result, told, where)
    repeats = _repeats(result)
    if not known:
        return undeclared(name, NO_PLAN, many * repeats or None)
    if many and many != len(known):
        told.say("limited", where, f"sample_ids lists {len(known)} of {many} samples of the dataset", blocks=False)
    if len(known) > IDS_MAX:
        return undeclared(name, f"more than {IDS_MAX} samples are not listed one by one", len(known) * repeats)
    return declared(name, known, repeats, told=told, where=where)


def _ids(result: Result, told: Told, where: str) -> tuple[list[str], int]:
    """The ids of the dataset, and how many samples it says to have (0: nobody says).

    Of a dataset that is no repository both stand as texts in a table, ids with commas between them: they are ids only where they
    are as many as it says, for an id may hold a comma.
    """
    data = result.inner("source_data")
    beside, ids = table(data.get("additional_details")), data.get("sample_ids")
    many = count_or(data.get("samples_number"), "")
    if not isinstance(many, int):
        told_n = text(beside.get("samples_number"))
        many = int(told_n) if told_n.isascii() and told_n.isdecimal() and len(told_n) <= 9 else 0
    joined = beside.get("sample_ids")
    if ids is None and isinstance(joined, str) and joined:
        split = joined.split(",")
        if len(split) == many:
            return split, many
        what = (
            f"sample_ids are {len(split)} texts between commas, samples_number is {many or 'missing'}: there is no plan"
        )
        told.say("bad_plan", where, what, blocks=False)
        return [], many
    known = [one for one in ids if isinstance(one, str) and one] if isinstance(ids, list) else []
    if isinstance(ids, list) and len(known) < len(ids):
        told.say("bad_plan", where, f"{len(ids) - len(known)} of {len(ids)} sample_ids are no text: there is no plan")
        known = []
    return known, many


def _repeats(result: Result) -> int:
    """How often each sample was drawn, where a table says so."""
    args = result.inner("generation_config", "generation_args")
    for found in (
        table(table(args.get("eval_plan")).get("config")),
        result.inner("generation_config", "additional_details"),
    ):
        for name in ("epochs", "repeats"):
            told = text(found.get(name))
            if told.isdecimal() and told.isascii() and 1 <= len(told) <= 4 and int(told):
                return int(told)
    return 1
