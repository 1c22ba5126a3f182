"""A contract: every reason not to lock it at once, a lock that shows any change, forks that say where they come from."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from denominator.envelopes.contracts import (
    Contract,
    State,
    contract_digest,
    contract_template,
    fork,
    lock,
    problems_of,
    read_document,
    state_of,
)
from denominator.errors import IncompleteError, InputError
from denominator.records.contracts import CLAUSES, conjunction

AT = "2026-05-01T08:00:00.000000Z"


def whole(**changes: Any) -> dict[str, Any]:
    """A contract that may be locked."""
    base: dict[str, Any] = {
        "study": "Do the eight tasks pass?",
        "claim": "k of 8 passed",
        "task_ids": [f"t{n}" for n in range(8)],
        "metrics": {
            "task_pass": "tests green AND patch applies AND no forbidden path",
            "abstain": "never a pass",
            "timeout_s": 180,
            "post_lock_exclusion": "forbidden",
        },
        "controls": [{"task_id": "n1", "expected": "fail", "role": "must_fail"}],
        "access": {"host": "h.example", "model_access": "key", "quota_assumed": False, "permanence_assumed": False},
    }
    return {**base, **changes}


def at(path: str, value: Any) -> dict[str, Any]:
    """The whole contract with one value replaced; `...` takes the key away."""
    made = copy.deepcopy(whole())
    *parents, last = path.split(".")
    table: Any = made
    for name in parents:
        table = table[name]
    if value is ...:
        del table[last]
    else:
        table[last] = value
    return made


def test_a_whole_contract_may_be_locked() -> None:
    assert problems_of(whole()) == []


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("task_ids", ["t1", "t*"], "task_ids[1]"),
        ("task_ids", ["t1", "t[0-9]"], "task_ids[1]"),
        ("task_ids", ["t1", "t1"], "task_ids"),
        ("task_ids", ["n1", "t1"], "task_ids"),
        ("task_ids", [], "task_ids"),
        ("task_ids", "t1, t2", "task_ids"),
        ("task_ids", ["t1", 7], "task_ids[1]"),
        ("task_ids", ..., "task_ids"),
        ("metrics.task_pass", "tests_green OR patch_applies", "metrics.task_pass"),
        ("metrics.task_pass", "looks good", "metrics.task_pass"),
        ("metrics.task_pass", ["tests_green", "tests_green"], "metrics.task_pass"),
        ("metrics.task_pass", {"tests": True}, "metrics.task_pass"),
        ("metrics.task_pass", ..., "metrics.task_pass"),
        ("metrics.timeout_s", 0, "metrics.timeout_s"),
        ("metrics.timeout_s", ..., "metrics.timeout_s"),
        ("metrics.abstain", ..., "metrics.abstain"),
        ("metrics.abstain", "counts as pass", "metrics.abstain"),
        ("metrics.abstain", True, "metrics.abstain"),
        ("metrics.post_lock_exclusion", "allowed", "metrics.post_lock_exclusion"),
        ("metrics.post_lock_exclusion", ..., "metrics.post_lock_exclusion"),
        ("controls", [], "controls"),
        ("controls", ..., "controls"),
        ("controls", [{"task_id": "n1"}], "controls[0].expected"),
        ("controls", [{"task_id": "n1", "expected": "fail"}, {"task_id": "n1", "expected": "fail"}], "task_ids"),
        ("access.host", "", "access.host"),
        ("access.host", "unspecified", "access.host"),
        ("access.host", "<host>", "access.host"),
        ("access.host", ..., "access.host"),
        ("access.model_access", "REPLACE: how", "access.model_access"),
        ("access.model_access", None, "access.model_access"),
        ("access.quota_assumed", True, "access.quota_assumed"),
        ("access.quota_assumed", "false", "access.quota_assumed"),
        ("access.permanence_assumed", ..., "access.permanence_assumed"),
        ("study", "TODO", "study"),
        ("claim", "this settles which vendor we buy from", "claim"),
        ("claim", "a price of 3 per patch is fair", "claim"),
        ("sha256", "ab" * 32, "sha256"),
        ("locked_at", AT, "locked_at"),
        ("extra", {"note": {}}, "extra.note"),
    ],
)
def test_what_may_not_be_locked(path: str, value: Any, where: str) -> None:
    found = problems_of(at(path, value))
    assert [one.where for one in found] == [where], found
    with pytest.raises(IncompleteError) as refused:
        lock(at(path, value), "r1", AT, "c.json")
    assert refused.value.exit == 2


def test_every_reason_comes_at_once() -> None:
    found = {one.where for one in problems_of({"task_ids": ["a*"], "metrics": {}, "access": {"quota_assumed": True}})}
    assert {
        "task_ids[0]", "metrics", "metrics.task_pass", "metrics.timeout_s", "metrics.abstain", "metrics.post_lock_exclusion",
        "controls", "access.host", "access.model_access", "access.quota_assumed", "access.permanence_assumed",
    } <= found  # fmt: skip


def test_the_template_is_refused_only_for_what_its_writer_knows() -> None:
    found = problems_of(contract_template())
    assert found and {one.what for one in found} == {"is not filled in"}


def test_a_locked_contract_shows_every_change() -> None:
    locked = lock(whole(), "r1", AT, "c.json")
    assert state_of(locked) is State.LOCKED
    assert locked["sha256"] == contract_digest(locked) == contract_digest({**dict(reversed(locked.items()))})
    for key in locked:
        if key != "sha256":
            assert state_of({**locked, key: "x"}) in (State.CHANGED, State.UNLOCKED), key
    assert state_of({**locked, "added": 1}) is State.CHANGED
    assert state_of({**locked, "weight": read_document(b'{"w": 0.5}', "w")["w"]}) is State.CHANGED
    assert state_of(whole()) is State.UNLOCKED
    assert state_of(whole(locked_at=AT, run_id="r")) is State.UNPINNED
    assert state_of(whole(locked_at="", sha256="ab" * 32)) is State.UNLOCKED


def test_it_is_locked_once() -> None:
    locked = lock(whole(), "r1", AT, "c.json")
    with pytest.raises(IncompleteError, match="locked already"):
        lock(locked, "r2", AT, "c.json")


def test_a_fork_is_a_new_study_that_points_back() -> None:
    locked = lock(whole(), "r1", AT, "c.json")
    made = fork(locked, ["t2", "t6"], "their fixtures moved", "c.json")
    assert made["forked_from"] == locked["sha256"] and state_of(made) is State.UNLOCKED
    assert made["task_ids"] == ["t0", "t1", "t3", "t4", "t5", "t7"]
    again = fork(lock(made, "r2", AT, "d.json"), ["t0"], "a second one", "d.json")
    assert [(one["task_ids"], one["why"]) for one in again["dropped"]] == [  # type: ignore[attr-defined]
        (["t2", "t6"], "their fixtures moved"), (["t0"], "a second one"),
    ]  # fmt: skip
    assert problems_of(again) == []


@pytest.mark.parametrize(
    ("drop", "why", "told"),
    [
        (["t1"], "", "without a reason"),
        (["t1"], "TODO", "without a reason"),
        (["zz"], "gone", "not in the contract: zz"),
        ([], "gone", "no task is named"),
        ([f"t{n}" for n in range(8)], "gone", "no task would be left"),
    ],
)
def test_a_fork_that_is_none(drop: list[str], why: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        fork(lock(whole(), "r1", AT, "c.json"), drop, why, "c.json")


@pytest.mark.parametrize("state", ["unlocked", "unpinned", "changed"])
def test_only_a_locked_contract_is_forked(state: str) -> None:
    locked = lock(whole(), "r1", AT, "c.json")
    document = {
        "unlocked": whole(),
        "unpinned": whole(locked_at=AT, run_id="r1"),
        "changed": {**locked, "claim": "another"},
    }[state]
    with pytest.raises(InputError, match=r"not locked|no sha256|does not match"):
        fork(document, ["t1"], "gone", "c.json")


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("tests green AND patch applies AND no forbidden path", ("tests_green", "patch_applies", "no_forbidden_path")),
        ("tests_green && not_abstain", ("tests_green", "not_abstain")),
        (["Tests-Green", "within_timeout"], ("tests_green", "within_timeout")),
        (tuple(CLAUSES), tuple(CLAUSES)),
    ],
)
def test_a_conjunction(text: object, clauses: tuple[str, ...]) -> None:
    assert conjunction(text) == clauses


@pytest.mark.parametrize(
    "text", ["", [], None, 3, "tests_green or not_abstain", "NOT tests_green", "tests_green | no_canary", [1]]
)
def test_what_is_no_conjunction(text: object) -> None:
    assert isinstance(conjunction(text), str)


def test_a_timeout_is_found_where_people_write_it() -> None:
    for metrics in ({"timeout": 180}, {"timeout": "180s"}, {"timeout": {"seconds": 180}}, {"timeout_s": 180}):
        assert Contract({"metrics": metrics}).timeout_s == 180
    for metrics in ({"timeout": True}, {"timeout": -1}, {"timeout": "soon"}, {"timeout": 0}, {}):
        assert Contract({"metrics": metrics}).timeout_s is None


def test_a_document_that_is_no_object_is_refused() -> None:
    for data in (b"[]", b"3", b"{", b'{"a": 1, "a": 2}', json.dumps("x").encode()):
        with pytest.raises(InputError):
            read_document(data, "c.json")
