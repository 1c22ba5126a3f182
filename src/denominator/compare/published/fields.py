"""The fingerprint: the fields that can move a published score, one name each, compared by value before any number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from denominator.records.conditions import Conditions
from denominator.records.field_names import our_name
from denominator.records.published import Moved, Published
from denominator.records.values import NotMeasured, is_placeholder
from denominator.wire.byvalue import same_by_value

FIELDS: Mapping[str, str] = {
    "pack_digest": "the task set",
    "pack_version": "the version of the task set",
    "verify_cmd": "the verify command",
    "max_attempts": "attempts a task",
    "retries": "retries",
    "budget_tokens_per_task": "the token budget",
    "wall_cap_s": "the time budget",
    "model_id": "the model",
    "model_snapshot": "the model's snapshot",
    "endpoint_host": "the endpoint's host",
    "temperature": "the temperature",
    "harness_commit": "the harness's commit or digest",
    "harness_name": "the harness",
    "repeats": "repeats",
    "seed": "the seed",
    "python": "the Python version",
    "platform": "the platform",
}
"""Field and what it is, in the order in which they are known to move scores: the likely cause is the first that moved."""

ALSO_SAID = ("pack_version", "model_snapshot", "temperature", "harness_name", "repeats")
"""Fields beside those of METHODS M14: where neither side states one, it is left out."""

NONE = "none"
MODEL_ONLY = ("model_snapshot", "endpoint_host", "temperature", "seed", "budget_tokens_per_task")

BENCHMARK = ("max_attempts", "retries", "budget_tokens_per_task", "wall_cap_s", "pack_digest", "pack_version")
"""Where one of these differs it is not the same benchmark."""

WORDS = {
    **dict.fromkeys(("python_version", "py", "interpreter"), "python"),
    **dict.fromkeys(("os", "machine", "uname", "system"), "platform"),
    **dict.fromkeys(
        ("pack", "pack_sha256", "taskset_sha256", "task_set_digest", "dataset_digest", "taskset_digest"), "pack_digest"
    ),
    **dict.fromkeys(("taskset_version", "dataset_version", "dataset.version"), "pack_version"),
    **dict.fromkeys(("verify_command", "verify", "test_cmd", "verifier"), "verify_cmd"),
    **dict.fromkeys(("retries", "max_retries", "retry_policy", "retry"), "retries"),
    **dict.fromkeys(("budget", "tokens", "tokens_max"), "budget_tokens_per_task"),
    **dict.fromkeys(("host", "base_url", "endpoint_host"), "endpoint_host"),
    **dict.fromkeys(("harness_sha", "commit", "git_commit"), "harness_commit"),
}
"""What others call a field of the fingerprint, beside the names of conditions."""
NUMBERS = ("max_attempts", "retries", "budget_tokens_per_task", "wall_cap_s", "temperature", "repeats", "seed")
UNSAID = NotMeasured("not stated")
NO_RETRIES = ("none", "no retries", "no retry", "never", "false")
Values = Mapping[str, str | NotMeasured]


def fingerprint(told: Iterable[tuple[str, str | NotMeasured]]) -> dict[str, str | NotMeasured]:
    """Fields by our names from (name, JSON text or text) pairs, the first known value of each; other names are left out."""
    found: dict[str, str | NotMeasured] = dict.fromkeys(FIELDS, UNSAID)
    for name, value in told:
        field = name if name in FIELDS else WORDS.get(name, our_name(name))
        if field in found and not isinstance(found[field], str):
            found[field] = plain(field, value)
    return found


def plain(field: str, value: str | NotMeasured) -> str | NotMeasured:
    """One value as text: numbers by value, an endpoint as its host only, no retries as 0; empty and placeholders unknown."""
    if isinstance(value, NotMeasured):
        return value
    read = _read(value) if field in NUMBERS or value[:1] == '"' else value
    text = (read if isinstance(read, str) else same_by_value(value)).strip()
    if read is None or is_placeholder(text):
        return UNSAID
    if field == "endpoint_host":
        return host_of(text) or UNSAID
    if field == "retries":
        return _retries(read, text)
    return text.removeprefix("sha256:")


def _read(value: str) -> object:
    """JSON text as its value; any other text as it is. A version such as 3.10 is no number: only fields of numbers come here."""
    return json.loads(same_by_value(value))


def _retries(read: object, text: str) -> str:
    """A table without any retry, and the words for it, are 0."""
    if isinstance(read, dict):
        numbers = [value for key, value in read.items() if key != "backoff_s"]
        if all(value in (0, "0", []) and value is not False for value in numbers):
            return "0"
    return "0" if text.lower().rstrip(".") in NO_RETRIES else text


def host_of(text: str) -> str:
    """The host of an address, without user, key, path and query."""
    rest = text.partition("://")[2] if "://" in text else text
    for mark in ("/", "?", "#"):
        rest = rest.partition(mark)[0]
    return rest.rpartition("@")[2].lower()


def of_document(one: Published) -> dict[str, str | NotMeasured]:
    """The fingerprint that a published.toml states."""
    given: dict[str, object] = {
        "pack_digest": one.pack.digest,
        "pack_version": one.pack.version,
        "verify_cmd": one.verify_cmd,
        "max_attempts": one.conditions.attempts,
        "retries": one.conditions.retries,
        "budget_tokens_per_task": one.conditions.budget_tokens,
        "wall_cap_s": one.conditions.wall_s,
        "model_id": one.model.id,
        "model_snapshot": one.model.snapshot,
        "endpoint_host": one.model.endpoint_host,
        "temperature": one.conditions.temperature,
        "harness_commit": one.harness.commit,
        "harness_name": one.harness.name,
        "repeats": one.conditions.repeats,
        "seed": one.conditions.seed,
        "python": one.harness.python,
        "platform": one.harness.platform,
    }
    return fingerprint((name, value if isinstance(value, NotMeasured) else str(value)) for name, value in given.items())


def of_conditions(
    conditions: Conditions, environment: Iterable[tuple[str, str]], more: Values
) -> dict[str, str | NotMeasured]:
    """The fingerprint of a run or an import: what is known of it beside its conditions goes first."""
    told = [*more.items(), *((one.name, one.value) for one in conditions), *environment]
    return fingerprint(told)


def moved(published: Values, ours: Values) -> tuple[Moved, ...]:
    """Field by field: same, moved, or unknown. Unknown equals nothing."""
    published, ours = _without_model(published, ours), _without_model(ours, published)
    pairs = ((name, published.get(name, UNSAID), ours.get(name, UNSAID)) for name in FIELDS)
    return tuple(_one(*pair) for pair in pairs if pair[0] not in ALSO_SAID or _stated(*pair[1:]))


def _without_model(one: Values, other: Values) -> Values:
    """Where neither side calls a model, what only a model has is "none" on both."""
    if not one.get("model_id") == other.get("model_id") == NONE:
        return one
    return {**one, **{name: NONE for name in MODEL_ONLY if not isinstance(one.get(name), str)}}


def _stated(*values: str | NotMeasured) -> bool:
    return any(isinstance(value, str) for value in values)


def _one(name: str, published: str | NotMeasured, ours: str | NotMeasured) -> Moved:
    if isinstance(published, NotMeasured) or isinstance(ours, NotMeasured):
        return Moved(name=name, state="unknown", published=published, ours=ours)
    return Moved(name=name, state="same" if published == ours else "moved", published=published, ours=ours)
