"""What a foreign manifest, contract or header states, read strictly; placeholders count as missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.importers import values
from denominator.importers.raw import json_text
from denominator.importers.sections import SECTIONS, conditions, contract
from denominator.importers.stated import Stated
from denominator.importers.stating import DECLARED, RECORDED, state
from denominator.importers.values import BadValueError, Reader
from denominator.records.field_names import our_name
from denominator.records.values import is_placeholder
from denominator.wire.contracts import as_manifest

ON_TIMEOUT = ("fail", "grade")


@dataclass(frozen=True, slots=True)
class Field:
    """One stated field: its attribute, its reader, the keys that state it (dotted for nested ones)."""

    attribute: str
    reader: Reader
    keys: tuple[str, ...]


def _word(value: object) -> str:
    return value if isinstance(value, str) else json_text(value)


def _on_timeout(value: object) -> str:
    if value not in ON_TIMEOUT:
        raise BadValueError(f"{values.brief(value)} is neither fail nor grade")
    return str(value)


NETWORKS = {"off": "off", "none": "off", "no": "off", "disabled": "off", "isolated": "off", "gateway": "gateway"}
NETWORKS |= {"proxy": "gateway", "allowlist": "gateway", "on": "open", "open": "open", "full": "open", "host": "open"}
NETWORKS |= {"bridge": "open", "enabled": "open"}


def _network(value: object) -> str:
    """The network of the agent's box: off, gateway or open."""
    if isinstance(value, bool):
        return "open" if value else "off"
    if (found := NETWORKS.get(str(value).strip().lower())) is None:
        raise BadValueError(f"{values.brief(value)} is none of off, gateway, open")
    return found


def _tries(value: object) -> int:
    """A cap on retries is one try more; no retries are one try."""
    return values.count(value) + 1


FIELDS = (
    Field("run_id", values.name, ("run_id", "provenance.run_id")),
    Field("name", values.name, ("claim_id",)),
    Field("dataset", values.name, ("dataset.name", "name")),
    Field("task_ids", values.names, ("dataset.task_ids", "task_ids")),
    Field("ids_digest", values.name, ("dataset.ids_digest", "dataset.ids_sha256")),
    Field("task_count", values.count, ("dataset.task_count", "dataset.count", "task_count")),
    Field("invalid_ceiling", values.share, ("invalid_rate_ceiling", "envelope.invalid_rate_ceiling")),
    Field("infra_ceiling", values.share, ("infra_rate_ceiling", "envelope.infra_rate_ceiling")),
    Field("retry_policy", _word, ("retry_policy", "envelope.retry_policy", "resume_policy")),
    Field("attempts", values.ordinal, ("max_attempts", "envelope.max_attempts")),
    Field("attempts", _tries, ("retry_cap", "envelope.retry_cap")),
    Field("repeats", values.ordinal, ("repeats", "faults.repeats")),
    Field("tool_loop_n", values.ordinal, ("tool_loop_n", "envelope.tool_loop_n", "loop_n")),
    Field("on_timeout", _on_timeout, ("on_timeout", "envelope.on_timeout")),
    Field("scorer", values.name, ("scorer", "scorer_kind")),
    Field("headline", values.name, ("headline_metric", "metrics.headline")),
    Field("sentence", values.name, ("sentence", "cite_sentence")),
    Field("network", _network, ("network", "env.network", "envelope.network", "sandbox.network")),
    Field("hidden_tests", values.flag, ("hidden_tests",)),
    Field("never_started_allowed", values.names, ("never_started_allowed",)),
    Field("house_reasons", values.names, ("house_reasons", "reasons")),
)
NESTED = ("dataset", "envelope", "provenance", "metrics", "faults", "env", "sandbox")
READ = frozenset(key for one in FIELDS for key in one.keys) | {
    "dataset.strata",
    "strata",
    "controls",
    "locked_at",
    "seeds",
    "verify_sha",
    "house_clauses",
    "draws",
    "dataset.draws",
}


def read_documents(documents: list[tuple[str, str, Mapping[str, object]]]) -> Stated:
    """(file, role, document) in the order of trust: contract, manifest, header, first line. Contradictions block."""
    stated = Stated()
    for where, role, document in documents:
        told = as_manifest(document) if role == "contract" else document
        flat = _flat(told)
        stated.files.append(where)
        state(stated, told, where, RECORDED if role == RECORDED else DECLARED)
        for one in FIELDS:
            _field(stated, where, one, flat)
        for section in SECTIONS:
            section(stated, where, flat)
        if role == "contract":
            contract(stated, where, flat, document)
        conditions(stated, {key: value for key, value in flat.items() if key not in READ})
        if stated.network:
            stated.environment.setdefault("network", stated.network)
    return stated


def _flat(document: Mapping[str, object]) -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in document.items():
        if key in NESTED and isinstance(value, dict):
            flat.update({f"{key}.{inner}": found for inner, found in value.items()})
        else:
            flat[key] = value
    return flat


def _field(stated: Stated, where: str, one: Field, flat: Mapping[str, object]) -> None:
    for key in one.keys:
        if (value := flat.get(key)) is None or is_placeholder(value):
            continue
        try:
            found = one.reader(value)
        except BadValueError as error:
            stated.say(where, key, str(error))
            continue
        before = getattr(stated, one.attribute)
        if before not in (None, (), found):
            if _said_already(stated, where, key):
                continue
            stated.say(
                where, key, f"says {values.brief(found)}, before it was {values.brief(before)}", "manifest_conflict"
            )
        elif before != found:
            setattr(stated, one.attribute, found)
            stated.ids_file = where if one.attribute == "task_ids" else stated.ids_file


def _said_already(stated: Stated, where: str, key: str) -> bool:
    """Is it told as a contradiction of conditions?"""
    told = f"{our_name(key)}: "
    return any(
        one.kind == "manifest_conflict" and one.where == where and one.what.startswith(told) for one in stated.defects
    )
