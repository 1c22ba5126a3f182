"""Conditions, treatment and comparison of foreign documents: every field that can move a number, under its name here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal

from denominator.importers import values
from denominator.importers.sections import CLAIM, PERCENT
from denominator.importers.stated import Stated
from denominator.importers.values import BadValueError
from denominator.records.conditions import Condition, Conditions
from denominator.records.envelopes import Comparison
from denominator.records.field_names import known_snapshot, our_name
from denominator.records.values import NotMeasured, is_placeholder
from denominator.wire.byvalue import by_value

TREATMENT = ("treatment", "treatment_fields")
COMPARISON = ("comparison", "primary", "family", "margin", "test", "looks", "alpha", "question", "delivered_floor")
NO_CONDITION = frozenset(
    (
        "task_ids",
        "task_count",
        "count",
        "draws",
        "ids_digest",
        "ids_sha256",
        "strata",
        "controls",
        "hidden_tests",
        "house_clauses",
        "schema_version",
    )
)
"""What says which tasks there are: held against the draws, task by task."""
TABLES_OF_TASKS = ("draws", "strata")
ASIDE = frozenset((*TREATMENT, *COMPARISON, *NO_CONDITION))
RETRIES = "retry_cap"
"""A cap on retries is one try more: `max_attempts` counts tries."""
DEPTH = 8

Pair = tuple[str, object]


RECORDED, DECLARED = "recorded", "declared"
"""Who states a condition: the format itself (the role of its document), or a person beside it."""


def state(stated: Stated, document: Mapping[str, object], where: str = "", by: str = DECLARED) -> None:
    """Take the conditions, the treatment and the comparison of one document. What an earlier one says otherwise is unknown.

    Where one was recorded and the other declared, it is a contradiction that blocks by name.
    """
    for name, value in _leaves(document, "", 0):
        _condition(stated, name, value, where, by)
    for key in TREATMENT:
        stated.treatment = stated.treatment or _names(document.get(key))
    table = document.get("comparison")
    told = dict(table) if isinstance(table, Mapping) else {}
    stated.comparison = {**_plans(document), **_plans(told), **stated.comparison}


def _leaves(document: Mapping[str, object], prefix: str, depth: int) -> Iterable[Pair]:
    """(dotted name, value) of everything that is no table; a table that is the value of a field of ours stays whole."""
    for key, value in document.items():
        if not prefix and key in ASIDE:
            continue
        name = f"{prefix}.{key}" if prefix else str(key)
        if str(key) in TABLES_OF_TASKS:
            continue
        whole = our_name(name) in WHOLE or not isinstance(value, Mapping) or not value or depth >= DEPTH
        if whole:
            yield name, value
        elif isinstance(value, Mapping):
            yield from _leaves(value, name, depth + 1)


WHOLE = frozenset(("retry_policy", "endpoint_terms", "agent_env", "verify_sha", "verify_timeout_s"))


def _condition(stated: Stated, told: str, value: object, where: str, by: str) -> None:
    name = our_name(told)
    if told.rpartition(".")[2] == RETRIES and isinstance(value, int) and not isinstance(value, bool):
        value += 1
    if name.rpartition(".")[2] in NO_CONDITION or _is_claim(told, value) or _is_missing(value):
        return
    try:
        text: str | NotMeasured = by_value(value)
    except ValueError:
        return
    if name in stated.conditions and stated.conditions[name] != text:
        if by != stated.said_by.get(name, DECLARED):
            _contradiction(stated, where, name, value)
            text = NotMeasured("what was recorded and what is declared are not the same")
        elif stated.told_as.get(name) != told and "." in told:
            name = told
        else:
            text = NotMeasured("two documents say two things")
    stated.told_as.setdefault(name, told)
    stated.said_by.setdefault(name, by)
    stated.conditions[name] = text


def _contradiction(stated: Stated, where: str, name: str, value: object) -> None:
    """Said once of a field, whichever of its names the reader of fields told already."""
    before = stated.conditions[name]
    was = before if isinstance(before, str) else "unknown"
    stated.say(where, name, f"{values.brief(value)} is declared, {was[:60]} was recorded", "manifest_conflict")


def _is_claim(key: str, value: object) -> bool:
    """A printed rate is a result, no condition."""
    if isinstance(value, str) and PERCENT.match(value.strip()):
        return True
    if not CLAIM.match(key.rpartition(".")[2]):
        return False
    try:
        values.share(value)
    except BadValueError:
        return False
    return True


def _is_missing(value: object) -> bool:
    return value is None or is_placeholder(value)


def _names(value: object) -> tuple[str, ...]:
    """A list of field names, or one."""
    listed = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    return tuple(one for one in listed if isinstance(one, str) and not is_placeholder(one))


def _plans(told: Mapping[str, object]) -> dict[str, object]:
    """The fields of a comparison that was planned, as far as they can be read."""
    found: dict[str, object] = {}
    for name in ("primary", "family"):
        if listed := _names(told.get(name)):
            found[name] = listed
    for name in ("test", "question"):
        if (word := told.get(name)) in WORDS[name]:
            found[name] = word
    for name in ("margin", "alpha", "delivered_floor"):
        if (share := _share(told.get(name))) is not None:
            found[name] = share
    looks = told.get("looks")
    if isinstance(looks, int | Decimal) and not isinstance(looks, bool) and 0 <= looks == int(looks):
        found["looks"] = int(looks)
    return found


WORDS = {"test": ("exact", "midp"), "question": ("difference", "non_inferior", "equivalent")}


def _share(value: object) -> str | None:
    try:
        return values.share(value) if value is not None else None
    except BadValueError:
        return None


def conditions_of(stated: Stated, unknown: Mapping[str, str] | None = None) -> Conditions:
    """What the documents state, by name; a snapshot that is the alias, or a name that moves, is unknown.

    `unknown` gives for fields that no document states the reason why nobody can tell.
    """
    found = dict(stated.conditions)
    if isinstance(asked := found.get("model_snapshot"), str):
        found["model_snapshot"] = _snapshot(asked, found.get("model_id"))
    if stated.network and "network" in found:
        found["network"] = by_value(stated.network)
    for name, why in (unknown or {}).items():
        found.setdefault(our_name(name), NotMeasured(why))
    return tuple(
        Condition(name=name, value=value, by=stated.said_by.get(name, DECLARED))
        for name, value in sorted(found.items())
    )


def _snapshot(asked: str, model: str | NotMeasured | None) -> str | NotMeasured:
    name, alias = json.loads(asked), json.loads(model) if isinstance(model, str) else ""
    if not isinstance(name, str):
        return asked
    found = known_snapshot(alias if isinstance(alias, str) else "", name)
    return found if isinstance(found, NotMeasured) else asked


def comparison_of(stated: Stated) -> Comparison:
    """The comparison that the documents planned; what they leave open has its default."""
    return Comparison(**stated.comparison)  # type: ignore[arg-type]
