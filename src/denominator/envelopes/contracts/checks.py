"""Every reason why a contract may not be locked, in one pass."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from denominator.errors import Problem
from denominator.records.decisions import SELLS
from denominator.records.values import is_placeholder
from denominator.wire.contracts import ACCESS, METRICS, Contract, Document, word
from denominator.wire.names import id_problem

UNFILLED = "is not filled in"
LOCK_KEYS = ("run_id", "locked_at", "sha256")
HISTORY = ("forked_from", "dropped")
GLOB = re.compile(r"[*?\[\]{}]")
SENTENCES = ("study", "claim", "sentence", "decision", "question")
AS_PASS = re.compile(r"\b(?:as|is|counts? as|=)?[ _]?pass(?:es|ed)?\b", re.IGNORECASE)
NEVER = re.compile(r"\b(?:never|no|not|fail\w*)\b", re.IGNORECASE)
FIX_INIT = "denominator contract init shows a contract with every section"


def problems_of(document: Document) -> list[Problem]:
    """What forbids locking; an empty list means that it may be locked."""
    contract = Contract(document)
    parts = (_locked, _empty, _ids, _metric, _limits, _controls, _access, _decisions)
    found = list(dict.fromkeys(problem for part in parts for problem in part(contract)))
    empty = {problem.where for problem in found if problem.what == UNFILLED}
    return [one for one in found if one.what == UNFILLED or one.where not in empty]


def _locked(contract: Contract) -> Iterator[Problem]:
    stamped = [key for key in LOCK_KEYS if word(contract.document.get(key))]
    if stamped:
        fix = "a change is a new study: denominator contract fork"
        yield Problem(", ".join(stamped), "the contract is locked already", fix)


def _empty(contract: Contract) -> Iterator[Problem]:
    """Nothing in a contract may be empty or a placeholder; the lock itself fills in its own fields."""
    for key, value in contract.document.items():
        if key not in (*LOCK_KEYS, *HISTORY):
            yield from _empty_below(key, value)


def _empty_below(path: str, value: object) -> Iterator[Problem]:
    if value is None or is_placeholder(value):
        yield Problem(path, UNFILLED, "say what holds; what does not apply says none")
    elif isinstance(value, dict | list) and not value:
        yield Problem(path, "is an empty section", FIX_INIT)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _empty_below(f"{path}.{key}", inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _empty_below(f"{path}[{place}]", inner)
    elif not isinstance(value, str | int | bool):
        yield Problem(path, "is a number with a fraction", "write it as text")


def _ids(contract: Contract) -> Iterator[Problem]:
    found = contract.document.get("task_ids")
    if not isinstance(found, list):
        what = "is missing" if found is None else "is not a list"
        yield Problem("task_ids", what, "list every id: a pattern would follow the results")
        return
    for place, one in enumerate(found):
        where = f"task_ids[{place}]"
        if not isinstance(one, str):
            yield Problem(where, "is not text")
        elif GLOB.search(one):
            yield Problem(where, f"{one!r} is a pattern", "list every id: a pattern would follow the results")
        elif one and (why := id_problem(one)):
            yield Problem(where, f"{one!r} {why}")
    listed = [*contract.task_ids, *(task_id for task_id, _, _ in contract.controls if task_id)]
    twice = sorted(one for one, times in Counter(listed).items() if times > 1)
    if twice:
        yield Problem("task_ids", f"named more than once: {', '.join(twice[:20])}", "one id, one place")


def _metric(contract: Contract) -> Iterator[Problem]:
    if isinstance(contract.metric, str):
        yield Problem("metrics.task_pass", contract.metric, "tests_green AND patch_applies AND no_forbidden_path")


def _limits(contract: Contract) -> Iterator[Problem]:
    if contract.timeout_s is None:
        yield Problem("metrics.timeout_s", "is no number of seconds from 1", "a timeout that is stated is enforced")
    abstain = contract.stated("abstain", METRICS)
    if abstain is None:
        yield Problem("metrics.abstain", "is missing", 'say how an abstention counts: "never a pass"')
    elif abstain is True or (isinstance(abstain, str) and AS_PASS.search(abstain) and not NEVER.search(abstain)):
        yield Problem("metrics.abstain", "an abstention is never a pass", 'write "never a pass"')
    if contract.stated("post_lock_exclusion", METRICS) != "forbidden":
        yield Problem(
            "metrics.post_lock_exclusion", "is not forbidden", 'write "forbidden": dropping starts a new study'
        )


def _controls(contract: Contract) -> Iterator[Problem]:
    found = contract.document.get("controls")
    if not isinstance(found, list):
        yield Problem("controls", "no controls are declared", "a grader that always says yes must be able to fail")
        return
    for place, one in enumerate(found):
        told = one if isinstance(one, dict) else {}
        for key in ("task_id", "expected"):
            if not word(told.get(key)):
                yield Problem(f"controls[{place}].{key}", "is missing", "a control names its task and its outcome")


def _access(contract: Contract) -> Iterator[Problem]:
    for key in ("host", "model_access"):
        if not word(contract.stated(key, ACCESS)):
            yield Problem(f"access.{key}", "is missing or unspecified", "say through what the model is reached")
    for key in ("quota_assumed", "permanence_assumed"):
        if contract.stated(key, ACCESS) is not False:
            yield Problem(f"access.{key}", "is not false", "read the terms; what is assumed cannot be scored")


def _decisions(contract: Contract) -> Iterator[Problem]:
    """METHODS M11: no contract decides about a vendor or a price."""
    for key in SENTENCES:
        if found := selling(contract.document.get(key)):
            yield Problem(
                key, f"{found!r}: a contract supports no decision about a vendor or a price", "claim the count"
            )


def selling(value: object) -> str:
    """The first word of a text that speaks of a vendor or a price; empty when none does."""
    found = SELLS.search(value) if isinstance(value, str) else None
    return found[0] if found else ""
