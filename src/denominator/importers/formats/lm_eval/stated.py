"""What a file of results states of one task: the conditions, what was scheduled, the numbers that were printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from denominator.importers.carried import carried
from denominator.importers.foreign import declared, digest, undeclared
from denominator.importers.formats.lm_eval.results import NO_FILTER, PLAIN, Run, table
from denominator.importers.measured import count_or, moment_or, plain_scalars
from denominator.records.declarations import Declaration
from denominator.records.foreign import Published, Told
from denominator.records.values import NotMeasured

DOCS_MAX = 200_000
"""Ids of more documents are not made from a number alone: no task of the harness has as many."""
SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
MODEL_NAMES = ("pretrained", "model")
NO_SAMPLING = ("loglikelihood", "loglikelihood_rolling", "multiple_choice")


def text(value: object) -> str:
    """A text that may leave the log."""
    return str(carried(value)) if isinstance(value, str) else ""


def run_id(run: Run) -> str:
    """Model, time, task and filter: lm-eval gives no name."""
    model = text(run.document.get("model_name_sanitized")) or text(run.document.get("model_name")) or "lm-eval"
    return " ".join(one for one in (model, run.stamp, f"{run.task},{run.filter or NO_FILTER}") if one)


def document(run: Run) -> dict[str, object]:
    """The conditions that are recorded, by the words of a manifest."""
    top, config, task = run.document, table(run.document.get("config")), table(run.of_task("configs"))
    model = _arguments(config.get("model_args"))
    found: dict[str, object] = {
        "run_id": run_id(run),
        "name": run.task,
        "dataset_name": " ".join(filter(None, (text(task.get(name)) for name in ("dataset_path", "dataset_name")))),
        "task_version": _plain(run.of_task("versions")),
        "task_slice_sha256": text(run.of_task("task_hashes")),
        "task_config_sha256": digest({**task, "metadata": None}) if task else "",
        "model_id": next(
            (text(model[name]) for name in MODEL_NAMES if text(model.get(name))), text(top.get("model_name"))
        ),
        "model_source": text(top.get("model_source")) or text(config.get("model")),
        "endpoint_host": _host(model.get("base_url")),
        "model_args": {"sha256": digest(model), **table(carried(plain_scalars(dict(model))))} if model else "",
        "harness_name": "lm_eval",
        "harness_version": text(top.get("lm_eval_version")),
        "git_hash": text(top.get("git_hash")),
        "transformers_version": text(top.get("transformers_version")),
        "num_fewshot": _plain(run.of_task("n-shot")),
        "chat_template_sha": text(top.get("chat_template_sha")),
        "system_instruction_sha": text(top.get("system_instruction_sha")),
        "fewshot_as_multiturn": _plain(top.get("fewshot_as_multiturn")),
        "limit": _plain(config.get("limit")),
        "batch_size": _plain(config.get("batch_size")),
        "seed": ", ".join(f"{name} {_plain(config[name])}" for name in SEEDS if config.get(name) is not None),
        "filter": run.filter or NO_FILTER,
        "scorer": run.metric,
        "headline_metric": run.metric,
        "started_at_utc": _when(top.get("date")),
        **_decoding(task, config),
    }
    return {name: value for name, value in found.items() if value not in ("", None)}


def _plain(value: object) -> object:
    return carried(value) if isinstance(value, str | int | bool | Decimal) else ""


def _arguments(found: object) -> Mapping[str, Any]:
    """Arguments of a model: a table, or "name=value,name=value"."""
    if isinstance(found, str):
        pairs = (one.partition("=") for one in found[:10_000].split(",") if "=" in one)
        return {name.strip(): value.strip() for name, _, value in pairs}
    return {name: value for name, value in table(found).items() if value is not None}


def _host(address: object) -> str:
    try:
        return urlsplit(address).hostname or "" if isinstance(address, str) else ""
    except ValueError:
        return ""


def _when(seconds: object) -> str:
    found = moment_or(int(seconds * 1000), "") if isinstance(seconds, int | Decimal) and 0 < seconds < 1 << 40 else ""
    return found if isinstance(found, str) else ""


def _decoding(task: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, object]:
    """How answers were sampled. A likelihood of given choices is not sampled at all."""
    kind = text(task.get("output_type"))
    if kind in NO_SAMPLING:
        return {"output_type": kind, "temperature": "none", "max_output_tokens": "none"}
    set_ = {**table(task.get("generation_kwargs")), **_arguments(config.get("gen_kwargs"))}
    found: dict[str, object] = {"output_type": kind}
    for theirs, ours in (
        ("temperature", "temperature"),
        ("max_gen_toks", "max_output_tokens"),
        ("do_sample", "do_sample"),
    ):
        if set_.get(theirs) is not None:
            found[ours] = _plain(set_[theirs])
    return found


def unknown(run: Run, found: Mapping[str, object]) -> dict[str, str]:
    """Why fields are not known of this run."""
    why = {
        "temperature": "the task sets no temperature: the default of the model's backend holds, which is not recorded",
        "max_output_tokens": "the task sets no limit of answers: the default of the model's backend holds, which is not recorded",
        "harness_version": "no file of this run names the version of lm_eval",
        "model_id": "no file of this run names the model",
        "task_slice_sha256": "no file of this run holds a digest of its samples",
        "seed": "no file of this run names a seed",
    }
    if not run.document:
        why = dict.fromkeys(why, "the file of results is not there")
    return {name: reason for name, reason in why.items() if name not in found}


def plan_of(run: Run, told: Told) -> Declaration:
    """What was scheduled: every document of the task, also those that a limit left out."""
    name, counts = run_id(run), table(run.of_task("n-samples"))
    original, effective = count_or(counts.get("original"), ""), count_or(counts.get("effective"), "")
    where = f"{run.results}#/n-samples/{run.task}"
    if not isinstance(original, int) or not original:
        return undeclared(name, "no file states how many documents the task has (n-samples)")
    if isinstance(effective, int) and effective < original:
        what = f"{effective} of {original} documents were run (limit): no full run of the task"
        told.say("limited", where, what, blocks=False)
    if original > DOCS_MAX:
        return undeclared(name, f"more than {DOCS_MAX} documents are not listed one by one", original)
    return declared(name, tuple(map(str, range(original))))


def published(run: Run) -> Iterator[Published]:
    """The printed numbers of the task under this filter, and of the groups that it belongs to."""
    counts = table(run.of_task("n-samples"))
    effective = count_or(counts.get("effective"), "")
    of = str(effective) if isinstance(effective, int) else "documents that were run"
    yield from _numbers(run, run.task, table(table(run.document.get("results")).get(run.task)), of, "results")
    for group in groups_of(run):
        printed = table(table(run.document.get("groups")).get(group))
        yield from _numbers(run, group, printed, f"tasks of the group {group}", "groups")
    for name in ("original", "effective"):
        if isinstance(found := count_or(counts.get(name), ""), int):
            role, where = (
                ("scheduled" if name == "original" else "completed"),
                f"{run.results}#/n-samples/{run.task}/{name}",
            )
            yield Published(metric=name, value=str(found), unit="count", role=role, of="documents", where=where)


def groups_of(run: Run) -> list[str]:
    """Groups whose number this task is a part of."""
    groups = table(run.document.get("group_subtasks"))
    return sorted(name for name, tasks in groups.items() if isinstance(tasks, list) and run.task in tasks)


def _numbers(run: Run, name: str, printed: Mapping[str, Any], of: str, under: str) -> Iterator[Published]:
    for key, value in printed.items():
        metric, _, filter_ = key.rpartition(",")
        if key in PLAIN or filter_ != run.filter or isinstance(value, bool) or not isinstance(value, int | Decimal):
            continue
        share = 0 <= value <= 1
        role = "rate" if metric == run.metric and name == run.task and share else "other"
        unit = "share" if share else "count"
        where = f"{run.results}#/{under}/{name}/{key}"
        unit_of = "draws" if role == "rate" else ""
        yield Published(
            metric=f"{name} {key}", value=str(value), unit=unit, role=role, of=of, where=where, unit_of=unit_of
        )


def notes(run: Run) -> Iterator[str]:
    """What a reader should know of the run as a whole."""
    for group in groups_of(run):
        yield f"the task is a part of the group {group}: its number is of several tasks, and no denominator of this one"
    if table(run.document.get("config")).get("use_cache"):
        yield "a cache of answers was in use: which of them are older than this run is not recorded"
    took = run.document.get("total_evaluation_time_seconds")
    if isinstance(took, str) and len(took) < 40:
        yield f"the whole evaluation, of all its tasks, took {took} seconds"


def falls(run: Run) -> bool | NotMeasured:
    """Is a lower value of the metric the one that is wanted?"""
    said = table(run.of_task("higher_is_better")).get(run.metric)
    return not said if isinstance(said, bool) else NotMeasured("no file says whether more is wanted")
