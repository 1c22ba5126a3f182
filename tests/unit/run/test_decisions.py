"""What a run does next follows from events alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.records.events import Event
from denominator.records.keys import AttemptKey
from denominator.records.seals import CauseRule
from denominator.records.words import Checkpoint
from denominator.run.decisions import Apply, apply_step, exhausted, may_rerun, start_after
from denominator.run.progress import Progress, read_progress

KEY = AttemptKey("r", "t", 1, 1)


def event(seq: int, kind: str, key: AttemptKey | None = KEY, **more: object) -> Event:
    fields = {
        "seq": seq, "run_id": "r", "key": key, "incarnation": 1, "t_mono_ns": seq, "boot_id": "b", "t_wall": "",
        "phase": "run", "writer": "harness", "kind": kind, "checkpoint": "", "stream": "", "payload": {}, "blob": "",
        "prev_sha": "", "sha": str(seq),
    }  # fmt: skip
    return Event(**(fields | more))  # type: ignore[arg-type]


def whole_attempt() -> list[Event]:
    return [
        event(1, "promised", payload={"slice": "solvable", "purpose": "solve", "order": 4}),
        event(2, "started"),
        event(3, "checkpoint.done", checkpoint="context_loaded"),
        event(4, "agent.ended", payload={"after_cap": True}),
        event(5, "patch", blob="p1"),
        event(6, "checkpoint.done", checkpoint="patch_drafted"),
        event(7, "checkpoint.intent", checkpoint="patch_applied", payload={"pre": "a", "post": "b"}),
        event(8, "checkpoint.done", checkpoint="patch_applied"),
        event(9, "failure", payload={"cause": "disk_full", "recovered": False}),
        event(10, "closed", payload={"stop_reason": "infra"}),
    ]


def test_progress_is_read_from_events() -> None:
    state = read_progress(whole_attempt())[KEY]
    assert (state.slice, state.order, state.incarnation, state.patch_blob) == ("solvable", 4, 1, "p1")
    assert (state.apply_pre, state.apply_post, state.after_cap) == ("a", "b", True)
    assert (state.closed, state.stop_reason, state.failure_cause) == (True, "infra", "disk_full")


def test_a_durable_patch_is_never_paid_for_twice() -> None:
    events = whole_attempt()
    assert [start_after(read_progress(events[:n])[KEY]) for n in range(1, 9)] == [
        "", "", "", "", "", "patch_drafted", "patch_drafted", "patch_applied",
    ]  # fmt: skip


@given(st.permutations(range(3)), st.integers(1, 10))
def test_attempts_do_not_disturb_one_another(order: list[int], cut: int) -> None:
    keys = [AttemptKey("r", f"t{n}", 1, 1) for n in range(3)]
    alone = {key: read_progress([replace(e, key=key) for e in whole_attempt()[:cut]])[key] for key in keys}
    mixed = [replace(e, key=keys[n]) for e in whole_attempt()[:cut] for n in order]
    assert read_progress(mixed) == alone


@pytest.mark.parametrize(
    ("done", "found", "step"),
    [
        (False, None, Apply.APPLY),
        (False, "b", Apply.ADOPT),
        (False, "x", Apply.UNKNOWN),
        (True, "b", Apply.ADOPT),
        (True, None, Apply.UNKNOWN),
        (True, "x", Apply.UNKNOWN),
    ],
)
def test_the_artifact_is_the_truth_and_what_fits_nothing_is_unknown(done: bool, found: str | None, step: Apply) -> None:
    state = Progress(key=KEY, done=(Checkpoint.PATCH_APPLIED,) if done else ())
    assert apply_step(state, found, "b") is step


def test_incarnations_are_capped() -> None:
    assert not exhausted(Progress(key=KEY, incarnation=2), 3)
    assert exhausted(Progress(key=KEY, incarnation=3), 3)


def test_an_unknown_cause_is_never_rerun() -> None:
    table = (
        CauseRule(cause="disk_full", origin="INFRA", may_rerun=True),
        CauseRule(cause="unknown", origin="HARNESS", may_rerun=False),
    )
    assert may_rerun(table, "disk_full")
    assert not may_rerun(table, "never heard of")
