"""An applied tree counts only in the place where it lies."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.records.events import Event, Json
from denominator.records.keys import AttemptKey
from denominator.records.words import Checkpoint
from denominator.run.decisions import start_after
from denominator.run.progress import Progress, moved, read_progress

KEY = AttemptKey("r", "task", 1, 1)


def event(kind: str, payload: Mapping[str, Json], *, incarnation: int = 1, checkpoint: str = "") -> Event:
    return Event(
        seq=1, run_id="r", key=KEY, incarnation=incarnation, t_mono_ns=0, boot_id="b", t_wall="", phase="setup",
        writer="harness", kind=kind, checkpoint=checkpoint, stream="", payload=payload, blob="", prev_sha="", sha="",
    )  # fmt: skip


def applied_in(place: str) -> list[Event]:
    return [
        event("started", {"place": place} if place else {}),
        event("checkpoint.done", {}, checkpoint=Checkpoint.PATCH_DRAFTED),
        event("checkpoint.intent", {"pre": "a", "post": "b"}, checkpoint=Checkpoint.PATCH_APPLIED),
        event("checkpoint.done", {}, checkpoint=Checkpoint.PATCH_APPLIED),
    ]


def state(*events: Event) -> Progress:
    return read_progress(events)[KEY]


def test_a_tree_in_the_same_place_counts() -> None:
    for place in ("", "host/1"):
        again = state(*applied_in(place), event("started", {"place": place} if place else {}, incarnation=2))
        assert start_after(again) == Checkpoint.PATCH_APPLIED
        assert again.apply_post == "b"


def test_in_another_place_it_goes_on_from_the_patch_and_nothing_is_expected_to_lie_there() -> None:
    for first, second in (("", "host/1"), ("host/1", ""), ("host/1", "host/2")):
        again = state(*applied_in(first), event("started", {"place": second} if second else {}, incarnation=2))
        assert start_after(again) == Checkpoint.PATCH_DRAFTED
        assert (again.apply_pre, again.apply_post, again.place) == ("", "", second)


def test_a_move_forgets_nothing_but_the_tree() -> None:
    before = state(*applied_in("host/1"))
    after = moved(before, "host/2")
    assert after.done == (Checkpoint.PATCH_DRAFTED,)
    assert moved(before, "host/1") is before


def test_a_resume_in_the_run_folder_starts_from_the_patch_that_was_applied_elsewhere() -> None:
    assert start_after(moved(state(*applied_in("host/1")), "")) == Checkpoint.PATCH_DRAFTED
