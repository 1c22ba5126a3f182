"""Whatever is in a contract: it is read or refused in words, a lock shows every change, rows never pass by silence."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from denominator.envelopes.contracts import (
    State,
    contract_digest,
    contract_template,
    lock,
    problems_of,
    read_document,
    state_of,
)
from denominator.errors import DenominatorError, IncompleteError
from denominator.importers import import_rows
from denominator.importers.clauses import COLUMNS, clause_truths
from denominator.importers.stated import Stated
from denominator.judge import judge
from denominator.records.contracts import CLAUSES, conjunction
from denominator.wire.contracts import Contract

words = st.sampled_from(
    ["", "x", "REPLACE", "tests_green AND no_canary", "a*", "fail", "false", "forbidden", "180s", "which vendor"]
)
leaves = st.none() | st.booleans() | st.integers(-3, 400) | words | st.text(max_size=6)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "task_ids",
    "metrics",
    "controls",
    "access",
    "study",
    "claim",
    "timeout",
    "metric",
    "envelope",
    "locked_at",
    "sha256",
    "run_id",
    "extra",
]
documents = st.dictionaries(st.sampled_from(KEYS), values, max_size=8)
WHOLE: dict[str, Any] = {
    **contract_template(),
    "study": "s",
    "claim": "c",
    "task_ids": ["t1", "t2"],
    "controls": [{"task_id": "n1", "expected": "fail"}],
    "access": {"host": "local", "model_access": "none", "quota_assumed": False, "permanence_assumed": False},
}


@given(st.binary(max_size=60) | values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        document = read_document(data, "c.json")
    except DenominatorError:
        return
    assert state_of(document) in State and isinstance(problems_of(document), list)


@given(documents)
def test_any_document_has_a_state_and_reasons(document: dict[str, Any]) -> None:
    contract = Contract(document)
    assert contract.timeout_s is None or contract.timeout_s > 0
    assert isinstance(contract.metric, str) or set(contract.metric) <= set(CLAUSES)
    problems = problems_of(document)
    assert all(one.where and one.what for one in problems) and len(set(problems)) == len(problems)
    try:
        assert state_of(lock(document, "r", "2026-01-01T00:00:00Z", "c.json")) is State.LOCKED and not problems
    except IncompleteError as error:
        assert list(error.problems) == problems


@given(st.sampled_from(sorted(WHOLE)), values)
def test_a_change_of_any_field_shows(key: str, value: Any) -> None:
    locked = lock(WHOLE, "r", "2026-01-01T00:00:00Z", "c.json")
    again = {**locked, key: value}
    same = json.dumps(value, sort_keys=True) == json.dumps(locked[key], sort_keys=True)
    assert (state_of(again) is State.LOCKED) == same
    assert contract_digest(dict(reversed(again.items()))) == contract_digest(again)


@given(
    st.lists(st.sampled_from(sorted(CLAUSES)), min_size=1, unique=True),
    st.sampled_from([" AND ", " and ", " && ", ", "]),
)
def test_known_clauses_are_a_conjunction_however_they_are_joined(clauses: list[str], by: str) -> None:
    assert conjunction(by.join(clauses)) == conjunction(clauses) == tuple(clauses)


columns = st.sampled_from(
    [name for pair in COLUMNS.values() for names in pair for name in names] + ["task_pass", "wall_seconds"]
)
cells = st.booleans() | st.none() | st.integers(-1, 400) | st.sampled_from(["true", ""])
rows = st.dictionaries(columns, cells, max_size=10)


@given(rows)
def test_a_clause_is_true_only_where_the_row_says_so(row: dict[str, Any]) -> None:
    stated = Stated(contract=True, clauses=tuple(CLAUSES), needed=tuple(CLAUSES), timeout_ms=180_000)
    for clause, truth in clause_truths(row, stated).items():
        holds, denies = COLUMNS[clause]
        if clause == "within_timeout":
            wall = row.get("wall_seconds")
            timed = isinstance(wall, int) and not isinstance(wall, bool) and wall >= 0
            assert (truth is True) == (timed and wall <= 180)
        else:
            assert (truth is True) <= any(row.get(name) is True for name in holds) | any(
                row.get(name) is False for name in denies
            )
            assert truth is not True or not any(row.get(name) is True for name in denies)


@given(st.lists(rows, min_size=2, max_size=2))
def test_no_pass_without_every_clause(given_rows: list[dict[str, Any]]) -> None:
    locked = lock(WHOLE, "r", "2026-01-01T00:00:00Z", "c.json")
    tasks = ["t1", "t2"]
    base = {"tests_green": False, "patch_applies": True}
    lines = [json.dumps({**base, **row, "task_id": task}) for task, row in zip(tasks, given_rows, strict=True)]
    control = json.dumps({**base, "no_forbidden_path": True, "wall_seconds": 1, "abstain": False, "task_id": "n1"})
    files = [
        ("scoring_contract.json", json.dumps(locked).encode()),
        ("events.jsonl", "\n".join([*lines, control, ""]).encode()),
    ]
    try:
        found = import_rows(files)
    except DenominatorError:
        return
    judged = judge(found.ledger, found.terms)
    stated = Stated(contract=True, clauses=Contract(locked).judged, needed=Contract(locked).judged, timeout_ms=600_000)
    by_task = {json.loads(line)["task_id"]: json.loads(line) for line in lines}
    for draw in judged.sheet.draws:
        if draw.exit == "pass" and draw.draw.task_id in by_task and judged.verdict.exit == 0:
            assert all(clause_truths(by_task[draw.draw.task_id], stated).values())
