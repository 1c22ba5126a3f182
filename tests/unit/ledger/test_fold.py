"""The fold: whatever deaths a journal tells of, each draw has its rows, and a row says what was seen last and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.ledger.fold import fold
from denominator.records.events import Event
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, CallRow, Ledger, PatchFacts, Usage
from denominator.records.values import NotMeasured
from denominator.wire.codec import from_json, to_json
from denominator.wire.trees import EMPTY_TREE
from unit.ledger.journals import DRAWS, RUN, Lived, a_seal, an_event, attempts

SEAL = a_seal()
KEY = AttemptKey(RUN, "alpha", 1, 1)
PROMISE = an_event(KEY, 1, "promised", {"slice": "solvable", "cause": "plan", "purpose": "solve"})


def folded(events: list[Event], calls: list[CallRow] | None = None) -> Ledger:
    return fold(SEAL, RUN, events, calls or [])


def one_row(*events: Event) -> AttemptRow:
    (row,) = folded([PROMISE, *events]).rows
    return row


def in_order(lived: list[Lived]) -> list[Event]:
    return [event for one in lived for event in one.events]


@given(attempts())
def test_every_promised_attempt_has_one_row_and_a_warm_up_none(lived: list[Lived]) -> None:
    ledger = folded(in_order(lived))
    keys = [row.key for row in ledger.rows]
    assert keys == sorted(one.key for one in lived if one.key.repeat)
    assert {key.draw for key in keys} == set(DRAWS)
    assert ledger.declared == SEAL.plan.draws and ledger.declared_n == len(DRAWS)
    assert ledger.defects == ()


@given(attempts())
def test_a_row_holds_what_was_seen_last_and_nothing_of_what_was_lost(lived: list[Lived]) -> None:
    rows = {row.key: row for row in folded(in_order(lived)).rows}
    for one in lived:
        if one.key.repeat:
            assert seen(rows[one.key]) == {**NOTHING, **one.expected}


NOTHING: dict[str, Any] = {
    "started": False, "closed": False, "incarnations": 0, "queue_wait_ms": None, "cold_start": None, "agent_ms": None,
    "setup_ms": None, "abstained": None, "patch_sha": None, "applied_tree": None, "grade": "none", "report_sha": None,
    "stop_reason": None,
}  # fmt: skip


def seen(row: AttemptRow) -> dict[str, Any]:
    """A row in the words of the model: None for what is not measured."""
    found = {name: getattr(row, name) for name in NOTHING if name not in ("patch_sha", "applied_tree")}
    found = {name: None if isinstance(value, NotMeasured) else value for name, value in found.items()}
    patch = row.patch if isinstance(row.patch, PatchFacts) else None
    return {
        **found,
        "cause": row.cause,
        "patch_sha": patch.sha256 if patch else None,
        "applied_tree": (patch.applied_tree or None) if patch else None,
    }


@given(attempts(), st.randoms(use_true_random=False))
def test_the_order_of_other_attempts_is_irrelevant(lived: list[Lived], random: Any) -> None:
    queues = [list(one.events) for one in lived]
    mixed = []
    while any(queues):
        queue = random.choice([queue for queue in queues if queue])
        mixed.append(queue.pop(0))
    assert folded(mixed) == folded(in_order(lived))


@given(attempts())
def test_a_ledger_survives_its_json(lived: list[Lived]) -> None:
    ledger = folded(in_order(lived))
    assert from_json(Ledger, to_json(ledger)) == ledger


@given(attempts(), st.lists(st.tuples(st.integers(0, 200), st.sampled_from(("stdout", "stderr", "tools"))), max_size=6))
def test_output_changes_no_field(lived: list[Lived], noise: list[tuple[int, str]]) -> None:
    events = in_order(lived)
    noisy = list(events)
    for place, stream in noise:
        at = 1 + place % len(noisy)
        before = noisy[at - 1]
        noisy.insert(at, replace(before, kind="output", stream=stream, payload={"bytes": 7}, blob="x", checkpoint=""))
    assert folded(noisy) == folded(events)


def test_an_agent_phase_that_was_never_finished_is_forgotten() -> None:
    """A journal of another writer may hold an ending without its checkpoint; the next incarnation starts afresh."""
    ended = an_event(KEY, 3, "agent.ended", {"killed_by": "budget_wall", "after_cap": True, "exit": 1, "asked": True})
    row = one_row(
        an_event(KEY, 2, "started", {"queue_wait_ms": 5, "from": ""}),
        ended,
        an_event(KEY, 4, "started", {"queue_wait_ms": 9, "from": ""}, number=2),
    )
    for name in ("killed_by", "after_cap", "agent_exit", "asked", "agent_ms"):
        assert isinstance(getattr(row, name), NotMeasured), name
    assert (row.queue_wait_ms, row.incarnations) == (5, 2)


@given(st.sampled_from(("started", "agent.ended", "patch", "graded", "closed")))
def test_what_an_event_does_not_say_is_not_measured(kind: str) -> None:
    row = one_row(an_event(KEY, 2, kind))
    measured = {
        name: value
        for name in AttemptRow.__dataclass_fields__
        if isinstance(value := getattr(row, name), int | bool)
        and name not in ("schema_version", "tests_hidden", "run_cap_cut", "numbered", "played")
    }
    assert measured == {
        "started": kind == "started", "closed": kind == "closed", "incarnations": int(kind == "started"), "provider_retries": 0,
    }  # fmt: skip
    assert row.grade == "none"


def test_wrong_types_are_unknown_and_never_a_value_that_looks_measured() -> None:
    payload = {
        "exit": "0",
        "signal": True,
        "oom": 0,
        "wall_ms": None,
        "killed_by": "",
        "after_cap": {"not_measured": "no clock"},
    }
    row = one_row(an_event(KEY, 2, "agent.ended", payload))
    assert all(
        isinstance(value, NotMeasured)
        for value in (row.agent_exit, row.agent_signal, row.oom, row.agent_ms, row.killed_by, row.after_cap)
    )
    assert row.after_cap == NotMeasured("no clock")


def test_an_unknown_state_is_a_defect_until_a_checkpoint_explains_it() -> None:
    unknown = an_event(KEY, 3, "unknown_state", {"checkpoint": "patch_applied", "have": "x"})
    again = [an_event(KEY, 4, "started", {"from": "patch_drafted"}, number=2), an_event(KEY, 5, "output", number=2)]
    explained = an_event(KEY, 6, "checkpoint.done", checkpoint="patch_applied", number=2)
    assert [d.kind for d in folded([PROMISE, unknown, *again]).defects] == ["unknown_state"]
    assert folded([PROMISE, unknown, *again, explained]).defects == ()


def test_events_before_a_promise_and_changed_seals_are_defects() -> None:
    early = an_event(KEY, 1, "started", {"from": ""})
    changed = an_event(None, 9, "run.changed", {"what": "the grader", "sealed": "a", "found": "b"})
    ledger = folded([early, replace(PROMISE, seq=2), changed])
    assert sorted(defect.kind for defect in ledger.defects) == ["changed_seal", "unpromised"]


def test_the_failure_that_counts_is_the_first_of_the_last_incarnation() -> None:
    def failure(seq: int, cause: str, number: int, recovered: bool = False) -> Event:
        return an_event(KEY, seq, "failure", {"cause": cause, "recovered": recovered}, number=number)

    row = one_row(
        failure(2, "disk_full", 1), failure(3, "provider_error", 2, recovered=True), failure(4, "evicted", 2),
        failure(5, "oom_sandbox", 2),
    )  # fmt: skip
    assert row.first_unrecovered is not None
    assert (row.first_unrecovered.cause, row.first_unrecovered.seq) == ("evicted", 4)


def test_calls_of_a_warm_up_are_no_spend() -> None:
    warm = AttemptKey(RUN, "alpha", 0, 1)
    usage = Usage(prompt=10, completion=1, calls=1, complete=True)
    calls = [CallRow(key=key, seq=1, outcome="ok", sent=True, status=200, usage=usage) for key in (warm, KEY)]
    promises = [replace(PROMISE, seq=2), an_event(warm, 1, "promised", {"purpose": "warmup", "slice": ""})]
    ledger = folded(promises, calls)
    assert [call.key for call in ledger.calls] == [KEY]
    assert ledger.rows[0].usage.prompt == 10


@pytest.mark.parametrize(("tree", "hidden"), [("h", True), (EMPTY_TREE, False)])
def test_tests_are_hidden_where_the_sealed_task_has_hidden_files(tree: str, hidden: bool) -> None:
    seal = a_seal()
    tasks = tuple(replace(one, locked=replace(one.locked, hidden_tree=tree)) for one in seal.tasks)
    row = fold(replace(seal, tasks=tasks), "r", [an_event(KEY, 1, "promised")]).rows[0]
    assert row.tests_hidden is hidden


@pytest.mark.parametrize("wrote", [True, False])
def test_whose_tests_passed_is_read_from_the_graded_event(wrote: bool) -> None:
    assert one_row(an_event(KEY, 2, "graded", {"tests_written_by_agent": wrote})).tests_written_by_agent is wrote


def test_processes_with_armed_failpoints_are_on_record_whoever_says_it() -> None:
    begins = [an_event(None, n, "run.started", {"failpoints": armed}) for n, armed in enumerate(TRAPS, 1)]
    begins += [an_event(None, 5, "run.started", {"seal": "s"}), an_event(KEY, 6, "started", {"failpoints": ["z=eio"]})]
    defects = folded([PROMISE, *begins]).defects
    assert [(one.kind, one.where, one.what) for one in defects] == [
        ("armed_failpoints", "event 1", "a=kill@1, b=eio"), ("armed_failpoints", "event 3", "a=kill@2"),
        ("armed_failpoints", "event 6", "z=eio"),
    ]  # fmt: skip


TRAPS = (["a=kill@1", "b=eio"], ["a=kill@1", "b=eio"], ["a=kill@2"], [])
