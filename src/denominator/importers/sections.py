"""Sections of a foreign manifest that are more than one value: strata, controls, seeds, digests, claims, conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from denominator.importers import values
from denominator.importers.house import house_clauses
from denominator.importers.raw import json_text
from denominator.importers.stated import ControlTask, Stated
from denominator.importers.uneven import read_draws
from denominator.importers.values import BadValueError, kind_of
from denominator.records.values import is_placeholder
from denominator.wire.contracts import Contract

PERCENT = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s?(?:%|per ?cent)\Z", re.I)
SAID = re.compile(
    r"(?<![0-9.,])([0-9]+(?:[.,][0-9]+)?)\s?(?:%|per ?cent)"
    r"(?!\s*(?:-\s*)?(?:ci\b|confidence|credible|interval|band|level))(?:\s*(?:out of|of|/)\s*([0-9]+))?",
    re.I,
)
CLAIMING = re.compile(r"(claim|reported|published|printed|headline|summary|result|abstract|score)", re.I)
NOT_CLAIMING = re.compile(r"(ceiling|floor|threshold|target|policy|margin|_id\Z|sha|digest|script|metric)", re.I)
SHARES = re.compile(r"(?:\A|_)(?:pct|percent|percentage)\Z", re.I)
CLAIM = re.compile(
    r"(headline|pass(ed|es)?|resolved?|accept(ed|ance)|success|solved?|accuracy|score|rate)([_@]?(at_)?1)?"
    r"(_(rate|ratio|share))?\Z"
)


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


SECTIONS = (_strata, _controls, _seeds, _verify_shas, read_draws, house_clauses)


def contract(stated: Stated, where: str, flat: Mapping[str, object], document: Mapping[str, object]) -> None:
    """A contract names its tasks and was locked before; what it says of a pass, of time and of exclusions."""
    read = Contract(document)
    stated.contract = True
    stated.locked_at = read.locked_at
    if not read.locked_at:
        stated.say(where, "locked_at", "the contract is not locked; scoring it is refused", "contract_not_locked")
    if not stated.task_ids:
        stated.say(where, "task_ids", "a contract names its tasks", "contract_without_tasks")
    stated.exclusion_forbidden = flat.get("metrics.post_lock_exclusion", "forbidden") != "allowed"
    stated.timeout_ms = None if read.timeout_s is None else read.timeout_s * 1000
    stated.clauses = read.judged
    stated.needed = read.metric if isinstance(read.metric, tuple) else ()
    if read.pinned and read.timeout_s is not None and "within_timeout" not in stated.needed:
        stated.needed = (*stated.needed, "within_timeout")
    stated.one_word = not read.pinned or not stated.needed


def conditions(stated: Stated, flat: Mapping[str, object]) -> None:
    """Printed percents are kept for the granularity check, a rate that is claimed is no condition, the rest is one."""
    for key in sorted(flat):
        value = flat[key]
        stated.percents += _written(key, value)
        if isinstance(value, str) and PERCENT.match(value.strip()):
            continue
        if CLAIM.match(key) and (claimed := _claimed(value)) is not None:
            stated.percents += [claimed] if claimed else []
        elif value is not None and not is_placeholder(value):
            stated.environment.setdefault(key, value if isinstance(value, str) else json_text(value))


def _written(key: str, value: object) -> list[str]:
    """Percentages that a document prints: a text that is one, all in a text that claims something, a number named so.

    A decimal comma is a point. A level of confidence is no result.
    """
    claims = CLAIMING.search(key) and not NOT_CLAIMING.search(key)
    if isinstance(value, str):
        alone = PERCENT.match(value.strip())
        found = [(alone[1], "")] if alone else SAID.findall(value) if claims else []
        return [f"{one.replace(',', '.')}%" + (f" of {n}" if n else "") for one, n in found]
    if (
        SHARES.search(key)
        and not NOT_CLAIMING.search(key)
        and isinstance(value, int | Decimal)
        and not isinstance(value, bool)
    ):
        return [f"{value:f}%" if isinstance(value, Decimal) else f"{value}%"] if 0 <= value <= 100 else []
    return []


def _claimed(value: object) -> str | None:
    """A claimed rate as a percentage at its own precision; empty when it is too coarse to check, None when it is none."""
    try:
        exact = Decimal(values.share(value))
    except BadValueError:
        return None
    as_written = Decimal(value) if isinstance(value, str | Decimal) else exact
    digits = -int(as_written.as_tuple().exponent)
    exact = as_written if digits >= 0 else exact
    return f"{exact.scaleb(2):f}%" if digits >= 2 else ""
