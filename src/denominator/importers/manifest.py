"""What a foreign manifest, contract or header states, read strictly; placeholders count as missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from denominator.importers import values
from denominator.importers.raw import json_text
from denominator.importers.values import BadValueError, Reader, kind_of
from denominator.records.rows import Defect
from denominator.records.values import is_placeholder

PERCENT = re.compile(r"[0-9]+(?:\.[0-9]+)?\s?%\Z")
CLAIM = re.compile(
    r"(headline|pass(ed|es)?|resolved?|accept(ed|ance)|success|solved?|accuracy|score|rate)([_@]?(at_)?1)?"
    r"(_(rate|ratio|share))?\Z"
)
ON_TIMEOUT = ("fail", "grade")


@dataclass(frozen=True, slots=True)
class ControlTask:
    """A control that the manifest declares: a task and the outcome that it must have."""

    task_id: str
    expected: str
    role: str = ""


@dataclass(slots=True)
class Stated:
    """Everything that the documents beside the rows state. None: not stated."""

    run_id: str | None = None
    name: str | None = None
    dataset: str | None = None
    task_ids: tuple[str, ...] | None = None
    ids_file: str = ""
    ids_digest: str | None = None
    task_count: int | None = None
    strata: dict[str, int] = field(default_factory=dict)
    invalid_ceiling: str | None = None
    infra_ceiling: str | None = None
    controls: tuple[ControlTask, ...] | None = None
    retry_policy: str | None = None
    attempts: int | None = None
    repeats: int | None = None
    on_timeout: str | None = None
    scorer: str | None = None
    headline: str | None = None
    sentence: str | None = None
    hidden_tests: bool | None = None
    never_started_allowed: tuple[str, ...] = ()
    house_reasons: tuple[str, ...] = ()
    percents: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    seeds: tuple[object, ...] = ()
    verify_shas: dict[str, str] = field(default_factory=dict)
    contract: bool = False
    exclusion_forbidden: bool = True
    defects: list[Defect] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def say(self, where: str, key: str, what: str, kind: str = "bad_manifest") -> None:
        """Note a mistake of a document; it blocks."""
        self.defects.append(Defect(kind=kind, where=where, what=f"{key}: {what}"))


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


FIELDS = (
    Field("run_id", values.name, ("run_id",)),
    Field("name", values.name, ("claim_id",)),
    Field("dataset", values.name, ("dataset.name", "name")),
    Field("task_ids", values.names, ("dataset.task_ids", "task_ids")),
    Field("ids_digest", values.name, ("dataset.ids_digest", "dataset.ids_sha256")),
    Field("task_count", values.count, ("dataset.task_count", "dataset.count", "task_count")),
    Field("invalid_ceiling", values.share, ("invalid_rate_ceiling", "envelope.invalid_rate_ceiling")),
    Field("infra_ceiling", values.share, ("infra_rate_ceiling", "envelope.infra_rate_ceiling")),
    Field("retry_policy", _word, ("retry_policy", "envelope.retry_policy", "resume_policy")),
    Field("attempts", values.ordinal, ("max_attempts", "envelope.max_attempts", "retry_cap")),
    Field("repeats", values.ordinal, ("repeats", "faults.repeats")),
    Field("on_timeout", _on_timeout, ("on_timeout", "envelope.on_timeout")),
    Field("scorer", values.name, ("scorer", "scorer_kind")),
    Field("headline", values.name, ("headline_metric", "metrics.headline")),
    Field("sentence", values.name, ("sentence", "cite_sentence")),
    Field("hidden_tests", values.flag, ("hidden_tests",)),
    Field("never_started_allowed", values.names, ("never_started_allowed",)),
    Field("house_reasons", values.names, ("house_reasons", "reasons")),
)
NESTED = ("dataset", "envelope", "metrics", "faults")
READ = frozenset(key for one in FIELDS for key in one.keys) | {
    "dataset.strata",
    "strata",
    "controls",
    "locked_at",
    "seeds",
    "verify_sha",
}


def read_documents(documents: list[tuple[str, str, Mapping[str, object]]]) -> Stated:
    """(file, role, document) in the order of trust: contract, manifest, header, first line. Contradictions block."""
    stated = Stated()
    for where, role, document in documents:
        flat = _flat(document)
        stated.files.append(where)
        for one in FIELDS:
            _field(stated, where, one, flat)
        _strata(stated, where, flat)
        _controls(stated, where, flat)
        _seeds(stated, where, flat)
        _verify_shas(stated, where, flat)
        if role == "contract":
            _contract(stated, where, flat)
        _rest(stated, flat)
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
            stated.say(
                where, key, f"says {values.brief(found)}, before it was {values.brief(before)}", "manifest_conflict"
            )
        elif before != found:
            setattr(stated, one.attribute, found)
            stated.ids_file = where if one.attribute == "task_ids" else stated.ids_file


def _strata(stated: Stated, where: str, flat: Mapping[str, object]) -> None:
    for key in ("dataset.strata", "strata"):
        found = flat.get(key)
        if found is None:
            continue
        if not isinstance(found, dict):
            stated.say(where, key, f"{kind_of(found)} is not a table of names and counts")
            continue
        for name, size in found.items():
            try:
                stated.strata[name] = values.count(size)
            except BadValueError as error:
                stated.say(where, f"{key}.{name}", str(error))


def _controls(stated: Stated, where: str, flat: Mapping[str, object]) -> None:
    found = flat.get("controls")
    if found is None:
        return
    if not isinstance(found, list):
        stated.say(where, "controls", f"{kind_of(found)} is not a list of controls")
        return
    controls = []
    for place, item in enumerate(found, 1):
        try:
            told = values.table(item)
            task_id, expected = values.name(told.get("task_id")), values.name(told.get("expected"))
            controls.append(ControlTask(task_id, expected, str(told.get("role") or "")))
        except BadValueError as error:
            stated.say(where, f"controls[{place}]", str(error))
    stated.controls = (*(stated.controls or ()), *controls)


def _seeds(stated: Stated, where: str, flat: Mapping[str, object]) -> None:
    seeds = flat.get("seeds")
    if not isinstance(seeds, list) or not seeds:
        return
    if stated.repeats not in (None, len(seeds)):
        stated.say(where, "seeds", f"{len(seeds)} seeds, but {stated.repeats} repeats", "manifest_conflict")
    stated.repeats = stated.repeats or len(seeds)
    stated.seeds = stated.seeds or tuple(seeds)


def _verify_shas(stated: Stated, where: str, flat: Mapping[str, object]) -> None:
    """Digests of the verify scripts by task, as they were when the run was sealed."""
    found = flat.get("verify_sha")
    if found is None or is_placeholder(found):
        return
    if not isinstance(found, dict) or not all(isinstance(sha, str) for sha in found.values()):
        stated.say(where, "verify_sha", f"{values.brief(found)} is no table of tasks and digests")
        return
    stated.verify_shas.update({task: sha for task, sha in found.items() if not is_placeholder(sha)})


def _contract(stated: Stated, where: str, flat: Mapping[str, object]) -> None:
    stated.contract = True
    if is_placeholder(flat.get("locked_at") or ""):
        stated.say(where, "locked_at", "the contract is not locked; scoring it is refused", "contract_not_locked")
    if not stated.task_ids:
        stated.say(where, "task_ids", "a contract names its tasks", "contract_without_tasks")
    stated.exclusion_forbidden = flat.get("metrics.post_lock_exclusion", "forbidden") != "allowed"


def _rest(stated: Stated, flat: Mapping[str, object]) -> None:
    """Printed percents are kept for the granularity check, a rate that is claimed is no condition, the rest is one."""
    for key in sorted(flat):
        value = flat[key]
        if isinstance(value, str) and PERCENT.match(value.strip()):
            stated.percents.append(value.strip())
        elif CLAIM.match(key) and (claimed := _claimed(value)) is not None:
            stated.percents += [claimed] if claimed else []
        elif key not in READ and value is not None and not is_placeholder(value):
            stated.environment.setdefault(key, value if isinstance(value, str) else json_text(value))


def _claimed(value: object) -> str | None:
    """A claimed rate as a percentage at its own precision; empty when it is too coarse to check, None when it is none."""
    try:
        exact = Decimal(values.share(value))
    except BadValueError:
        return None
    digits = -int(exact.as_tuple().exponent)
    return f"{exact.scaleb(2):f}%" if digits >= 2 else ""
