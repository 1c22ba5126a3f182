"""The fields of two envelopes that are held against each other: a closed table, and what a difference makes of it.

A field that is in no row of the table is a condition: it blocks when it differs, and when only one side states it.
docs/formats/conditions.md is this table for readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from denominator.records.field_names import our_name

ALWAYS = "always"
TIMES = "times"
SPEND = "spend"
NEVER = "never"

BLOCKS_FOR: Mapping[str, tuple[str, ...]] = {
    ALWAYS: ("rate", "time", "durability", "spend"),
    TIMES: ("time", "durability"),
    SPEND: ("time", "durability", "spend"),
    NEVER: (),
}
"""Which compared numbers a difference blocks: a pass rate, a time or timeout share, durability, spend."""

__all__ = ["BY_NAME", "CLOCKED", "FIELDS", "FOLLOWS", "OF_MODEL", "WANTED", "Field", "blocks", "field_of", "our_name"]

QUESTION, SUBJECT, CONDITIONS, REFEREE, NOTE = "question", "subject", "conditions", "referee", "note"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what a difference means, which numbers it blocks, why. Without a `core` field nothing is compared."""

    name: str
    kind: str
    why: str
    blocks: str = ALWAYS
    core: bool = False


def _fields(kind: str, blocks: str, rows: Iterable[tuple[str, str]], core: bool = False) -> tuple[Field, ...]:
    return tuple(Field(name, kind, why, blocks, core) for name, why in rows)


CORE = (
    *_fields(QUESTION, ALWAYS, [("task_slice_sha256", "other tasks are another question")], True),
    *_fields(
        SUBJECT,
        ALWAYS,
        [
            ("agent_id", "another agent is another subject"),
            ("harness_commit", "the code around the model moves scores as the model does"),
            ("model_id", "another model is another subject"),
            ("model_snapshot", "one name can serve two models"),
        ],
        True,
    ),
    *_fields(
        CONDITIONS,
        ALWAYS,
        [
            ("temperature", "decoding moves answers"),
            ("seed", "decoding moves answers"),
            ("max_output_tokens", "a shorter answer can be a cut one"),
            ("budget_tokens_per_task", "more tokens are more tries"),
            ("tool_timeout_s", "a tool that is stopped early reports less"),
            ("retry_policy", "a second try is another experiment"),
            ("env_image_digest", "tests pass and fail with what is installed"),
        ],
        True,
    ),
    *_fields(REFEREE, ALWAYS, [("scoring_script_sha256", "another script is another referee")], True),
)

REST = (
    *_fields(
        QUESTION,
        ALWAYS,
        [
            ("prompt_id", "another prompt asks something else"),
            ("prompt_template_sha256", "what stands around a prompt is part of it"),
            ("repeats", "a mean over other repeats has another spread"),
            ("headline_metric", "two metrics are two numbers"),
        ],
    ),
    *_fields(
        SUBJECT,
        ALWAYS,
        [
            ("agent_version", "another version is another agent"),
            ("agent_env", "variables configure an agent"),
            ("agent_mounts", "files beside it configure an agent"),
            ("served_model", "what answered is the subject, whatever was asked for"),
        ],
    ),
    *_fields(
        CONDITIONS,
        ALWAYS,
        [
            ("harness_name", "each harness has its own limits and defaults"),
            ("harness_version", "each version has its own limits and defaults"),
            ("tool_list_digest", "other tools allow other solutions"),
            ("toolchain_digest", "tests pass and fail with the interpreter and its packages"),
            ("wall_cap_s", "more time is more work"),
            ("working_cap_s", "more time is more work"),
            ("tool_call_cap", "more calls are more work"),
            ("call_cap", "more calls of the model are more work"),
            ("turn_cap", "more turns are more work"),
            ("output_cap_bytes", "a stopped agent wrote less"),
            ("max_attempts", "a rate over several tries is another number"),
            ("incarnations_max", "restarts after a death of the runner are tries too"),
            ("seeds", "repeat k is compared under seed k"),
            ("concurrency", "neighbours take time, memory and ports"),
            ("network", "what can be fetched need not be known"),
            ("sandbox", "other boxes enforce other limits"),
            ("cpus", "a slower box meets its time cap sooner"),
            ("mem_guaranteed_mb", "memory that may be taken away is no memory"),
            ("mem_kill_mb", "where a process dies decides what it can build"),
            ("processes", "parallel tests need processes"),
            ("disk_mb", "a full disk ends a run"),
            ("file_mb", "a full file ends a run"),
            ("open_files", "parallel tests need handles"),
            ("endpoint_host", "another server serves another model"),
            ("endpoint_path", "each interface formats prompts in its own way"),
            ("endpoint_route", "what stands between can retry, cache and cut"),
            ("access_class", "a free key is limited in other ways than a paid one"),
            ("server_class", "a shared server is slower and cuts more"),
            ("served_host", "a router that moved served another machine"),
            ("quantisation", "a smaller number format is another model"),
            ("transport_retries", "a call that is made again is answered where another one failed"),
            ("provider_faults", "a fault that was made is no provider's"),
            ("cassette", "a recording answers what was asked before, and no draw is a new one"),
            ("endpoint_terms", "another allowance cuts at another place"),
            ("usage_convention", "cached tokens counted twice are other budgets"),
            ("run_cap_tokens", "a cap over the whole run cuts the last tasks"),
            ("warmup_tasks", "a cold start costs the first tasks"),
        ],
    ),
    *_fields(
        REFEREE,
        ALWAYS,
        [
            ("on_timeout", "whether work after a cap counts is a policy"),
            ("verify_timeout_s", "a test that is stopped is red"),
            ("scorer", "tests, schemas and people judge differently"),
            ("rules_digest", "other rules label the same rows otherwise"),
            ("causes_digest", "another table re-runs and censors other endings"),
            ("grading_levels", "what the solution can reach it can forge"),
            ("never_started_allowed", "a task that may stay away is no failure"),
            ("house_reasons", "a reason that counts moves rows between exits"),
            ("tool_loop_n", "when repetition is a loop is a number"),
        ],
    ),
)

PROVENANCE = (
    *_fields(
        NOTE,
        TIMES,
        [
            ("runner", "another machine has another clock speed"),
            ("provider_region", "distance is latency"),
            ("host", "another machine has another clock speed"),
            ("cpu_model", "another processor has another speed"),
            ("memory_bytes", "a box that swaps is slow"),
            ("kernel", "another kernel schedules otherwise"),
        ],
    ),
    *_fields(NOTE, SPEND, [("task_order_sha256", "warm caches and busy hours belong to places in the order")]),
    *_fields(
        NOTE,
        NEVER,
        [
            ("run_id", "names a run"),
            ("arm", "names an arm"),
            ("started_at_utc", "says when; the overlap of both windows is printed apart"),
            ("finished_at_utc", "says when"),
            ("sealed_at_utc", "says when"),
            ("locked_at", "says when"),
            ("operator", "says who"),
            ("claim_id", "names a claim"),
            ("name", "names a manifest"),
            ("purpose", "says what for"),
            ("sentence", "says what it was meant to support"),
            ("terms_read_on", "held against the day of the run apart"),
            ("baseline_digest", "an agent-off result of the same pack, taken again"),
            ("invalid_rate_ceiling", "decides what is printed, moves no number"),
            ("infra_rate_ceiling", "decides what is printed, moves no number"),
            ("notes", "free text"),
        ],
    ),
)

FIELDS: tuple[Field, ...] = (*CORE, *REST, *PROVENANCE)
BY_NAME: Mapping[str, Field] = {one.name: one for one in FIELDS}
FOREIGN = "a field that we do not know may move the number"

WANTED = (
    "prompt_id", "prompt_template_sha256", "repeats", "headline_metric", "harness_name", "harness_version",
    "tool_list_digest", "toolchain_digest", "wall_cap_s", "working_cap_s", "tool_call_cap", "turn_cap", "max_attempts",
    "seeds", "concurrency", "network", "cpus", "mem_guaranteed_mb", "mem_kill_mb", "endpoint_host", "endpoint_path",
    "access_class", "server_class", "usage_convention", "on_timeout", "verify_timeout_s", "scorer",
)  # fmt: skip
"""What METHODS M8 lists beside the core: where neither side states it that is said, and does not block by itself."""
CLOCKED = ("runner", "provider_region", "task_order_sha256")
"""Without these no time is compared, stated or not (the last: no spend either)."""

FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "model_id": ("model_snapshot", "served_model"),
    "model_snapshot": ("served_model",),
    "agent_id": ("agent_version", "agent_env", "agent_mounts", "tool_list_digest"),
    "agent_version": ("tool_list_digest",),
    "endpoint_host": ("endpoint_path",),
    "served_host": ("endpoint_host",),
}
"""What belongs to a field and moves with it: a snapshot is one of its model, so two models have two."""
OF_MODEL = (
    "model_snapshot",
    "served_model",
    "temperature",
    "seed",
    "max_output_tokens",
    "budget_tokens_per_task",
    "endpoint_host",
    "endpoint_path",
    "endpoint_route",
    "access_class",
    "server_class",
    "usage_convention",
    "endpoint_terms",
    "tool_list_digest",
    "network",
)
"""What only an arm that calls a model has: it moves with `model_id` where one side calls none."""


def field_of(name: str) -> Field:
    """The field of a name; a name that nobody knows is a condition."""
    return BY_NAME.get(name) or Field(name, CONDITIONS, FOREIGN)


def blocks(field: Field, number: str) -> bool:
    """Does a difference in this field stop the comparison of such a number (rate, time, durability, spend)?"""
    return number in BLOCKS_FOR[field.blocks]
