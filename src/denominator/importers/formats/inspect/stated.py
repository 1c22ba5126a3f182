"""What the header of a log states: the conditions of the run, and what was scheduled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from denominator.importers.carried import carried
from denominator.importers.foreign import declared, digest, undeclared
from denominator.importers.formats.inspect.logs import Log, table
from denominator.importers.formats.inspect.scores import Headline
from denominator.importers.measured import count_or, plain_scalars, text_or
from denominator.records.declarations import Declaration
from denominator.records.foreign import Told

LIMITS = {
    "message_limit": "message_cap",
    "turn_limit": "turn_cap",
    "token_limit": "budget_tokens_per_task",
    "time_limit": "wall_cap_s",
    "working_limit": "working_cap_s",
    "cost_limit": "cost_cap_usd",
}
DECODING = {"temperature": "temperature", "seed": "seed", "max_tokens": "max_output_tokens"}
POLICIES = ("fail_on_error", "continue_on_fail", "score_on_error", "token_limit_type", "limit", "sample_id")
NOT_SET = "the log sets none: the provider's own default holds, which no log names"


def run_id(log: Log) -> str:
    """What the log calls this evaluation of one task by one model."""
    for name in ("eval_id", "run_id", "task_id"):
        if found := text_or(log.spec.get(name), ""):
            return str(found)
    return log.name


def document(log: Log, scorer: str) -> dict[str, object]:
    """The conditions that the log records, by the words of a manifest."""
    spec, config = log.spec, table(log.spec.get("config"))
    tries = 1 + (retries if isinstance(retries := count_or(config.get("retry_on_error"), ""), int) else 0)
    host = _host(spec.get("model_base_url"))
    found: dict[str, object] = {
        "run_id": run_id(log),
        "name": _named(spec),
        "dataset_name": text(table(spec.get("dataset")).get("name")),
        "model_id": text(spec.get("model")),
        "endpoint_host": host,
        "agent_id": _solver(log),
        "harness_name": "inspect_ai",
        "harness_version": text(table(spec.get("packages")).get("inspect_ai")),
        "scorer": scorer,
        "repeats": epochs_of(log),
        "retry_policy": f"retry_on_error={tries - 1}" if tries > 1 else "none",
        "max_attempts": tries,
        "on_timeout": "grade",
        "task_version": spec.get("task_version"),
        "started_at_utc": text(table(log.header.get("stats")).get("started_at")),
        "headline_metric": _headline_metric(log),
        **_decoding(log),
        **{ours: config.get(theirs, "none") for theirs, ours in LIMITS.items()},
        **{name: carried(config[name]) for name in POLICIES if name in config},
        **_subject(spec),
    }
    return {name: value for name, value in found.items() if value not in ("", None)}


def text(value: object) -> str:
    """A text that may leave the log."""
    return str(carried(value)) if isinstance(value, str) else ""


def epochs_of(log: Log) -> int:
    """How often each sample was to be run."""
    found = count_or(table(log.spec.get("config")).get("epochs"), "")
    return found if isinstance(found, int) and found > 0 else 1


def _host(address: object) -> str:
    try:
        return urlsplit(address).hostname or "" if isinstance(address, str) else ""
    except ValueError:
        return ""


def _solver(log: Log) -> str:
    """The solver that was named, or the steps of the plan."""
    if named := text(log.spec.get("solver")):
        return named
    steps = table(log.header.get("plan")).get("steps")
    names = [text(table(step).get("solver")) for step in steps] if isinstance(steps, list) else []
    return " + ".join(one for one in names if one)


def _decoding(log: Log) -> dict[str, object]:
    """What was set, of the model or of the task; the task's has the last word."""
    set_ = {**table(log.spec.get("model_generate_config")), **table(table(log.header.get("plan")).get("config"))}
    rest = plain_scalars(
        {str(name): value for name, value in set_.items()}, *DECODING, "max_connections", "system_message"
    )
    found: dict[str, object] = {ours: set_[theirs] for theirs, ours in DECODING.items() if set_.get(theirs) is not None}
    if "max_connections" in set_:
        found["concurrency"] = set_["max_connections"]
    if set_.get("system_message"):
        found["prompt_template_sha256"] = digest(set_["system_message"])
    return found | ({"generate": carried(rest)} if rest else {})


def _subject(spec: Mapping[str, Any]) -> dict[str, object]:
    """Arguments of model, task and solver, box and revision: what they hold that may leave the log."""
    found: dict[str, object] = {}
    for theirs, ours in (("model_args", "model_args"), ("task_args", "task_args"), ("solver_args", "agent_args")):
        if kept := {name: value for name, value in table(spec.get(theirs)).items() if value is not None}:
            found[ours] = {"sha256": digest(kept), **table(carried(plain_scalars(kept)))}
    if roles := {name: text(table(one).get("model")) for name, one in table(spec.get("model_roles")).items()}:
        found["model_roles"] = roles
    if scorers := listed(spec.get("scorers")):
        found["scorers_sha256"] = digest(scorers)
    if box := spec.get("sandbox"):
        kind = box if isinstance(box, str) else table(box).get("type")
        found["sandbox"] = text(kind)
        if settings := table(box).get("config"):
            found["sandbox_config_sha256"] = digest(settings)
    revision = table(spec.get("revision"))
    if revision.get("commit"):
        found["task_commit"] = text(revision["commit"])
        found["task_commit_dirty"] = revision.get("dirty", False) is not False
    return found


def headline(log: Log) -> Headline:
    """Which score counts: the one that Inspect resolved, the one that the task declares, or the only scorer."""
    for told in (table(log.header.get("results")).get("headline"), log.spec.get("headline_metric")):
        scorer, score = text(table(told).get("scorer")), text(table(told).get("score"))
        if scorer or score:
            return Headline(scorer, score)
    scorers = [text(table(one).get("name")) for one in listed(log.spec.get("scorers"))]
    return Headline(scorers[0]) if len(scorers) == 1 else Headline()


def _headline_metric(log: Log) -> str:
    for told in (table(log.header.get("results")).get("headline"), log.spec.get("headline_metric")):
        if found := text(table(told).get("metric")):
            return found
    return ""


def listed(value: object) -> list[Any]:
    """A JSON list, or an empty one."""
    return value if isinstance(value, list) else []


def unknown(log: Log, document: Mapping[str, object]) -> dict[str, str]:
    """Why fields are not known of this run."""
    found = {ours: NOT_SET for ours in DECODING.values() if ours not in document}
    if "harness_version" not in document:
        found["harness_version"] = "this log names no version of inspect_ai"
    if "endpoint_host" not in document:
        found["endpoint_host"] = "the log names no address of its own: the provider's usual one was called"
    if log.status == "started":
        found["finished_at_utc"] = "the log was never finished"
    return found


def _named(spec: Mapping[str, Any]) -> str:
    """The task; where a part of its dataset was chosen, that it is a part."""
    name, dataset = text(spec.get("task")), table(spec.get("dataset"))
    ids, whole = dataset.get("sample_ids"), count_or(dataset.get("samples"), "")
    chosen = len({str(one) for one in ids}) if isinstance(ids, list) else 0
    part = isinstance(whole, int) and 0 < chosen < whole
    return f"a part of {name} ({chosen} of the {whole} samples of its dataset)" if name and part else name


def plan_of(log: Log, told: Told) -> Declaration:
    """What was scheduled: the ids of the dataset times the epochs. Never what the log happens to hold."""
    dataset, config = table(log.spec.get("dataset")), table(log.spec.get("config"))
    epochs, run = epochs_of(log), run_id(log)
    ids = dataset.get("sample_ids")
    whole = count_or(dataset.get("samples"), "")
    if not isinstance(ids, list) or not ids:
        total = count_or(table(log.header.get("results")).get("total_samples"), "")
        why = "this log lists no ids of its dataset"
        return undeclared(run, why, total if isinstance(total, int) and total > 0 else None)
    names = [str(one) for one in ids if isinstance(one, str | int) and not isinstance(one, bool)]
    if len(names) < len(ids):
        told.say(
            "refused_id",
            f"{log.head}#/eval/dataset/sample_ids",
            f"{len(ids) - len(names)} ids are neither text nor number",
        )
    if isinstance(whole, int) and whole > len(set(names)):
        what = f"{len(set(names))} of the {whole} samples of the dataset were chosen"
        how = ", ".join(
            f"{name} {carried(config[name])}" for name in ("limit", "sample_id") if config.get(name) is not None
        )
        told.say("subset", f"{log.head}#/eval/config", what + (f" ({how[:300]})" if how else ""), blocks=False)
    return declared(run, names, epochs, told=told, where=f"{log.head}#/eval/dataset/sample_ids")


def notes(log: Log) -> Iterator[str]:
    """What a reader should know of the run as a whole."""
    status, results = log.status or "unknown", table(log.header.get("results"))
    if status != "success":
        error = text(table(log.header.get("error")).get("message"))
        yield f"the log's status is {status}" + (f": {error[:200]}" if error else "")
    if log.header.get("config_updates"):
        yield "limits were changed while it ran (config_updates): the document holds those of the beginning"
    if results.get("early_stopping"):
        yield "samples were left out by early stopping: they were scheduled, and have no row"
    if log.header.get("invalidated") is True:
        yield "the log is marked as invalidated"
