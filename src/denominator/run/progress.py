"""How far an attempt came, read from its events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from denominator.records.events import Event, Json
from denominator.records.keys import AttemptKey
from denominator.records.words import Cause, Checkpoint

WARMUP = "warmup"
SOLVE = "solve"
PROBE = "probe"
UNCOUNTED = (WARMUP, PROBE)
VERDICTS = ("green", "red", "tampered")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One attempt so far. `incarnation` is the last one that started (0: none); digests are as recorded.

    `place` is where that incarnation works ("" is the run's own folder): an applied tree counts only where it lies.
    """

    key: AttemptKey
    slice: str = ""
    control: str = ""
    stratum: str = ""
    cause: str = Cause.PLAN
    purpose: str = SOLVE
    order: int = 0
    incarnation: int = 0
    place: str = ""
    done: tuple[str, ...] = ()
    patch_blob: str = ""
    after_cap: bool = False
    apply_pre: str = ""
    apply_post: str = ""
    closed: bool = False
    stop_reason: str = ""
    failure_cause: str = ""
    verdict: bool = False
    unknown_state: bool = False

    @property
    def open(self) -> bool:
        """Is there work left on this attempt?"""
        return not self.closed


def read_progress(events: Iterable[Event]) -> dict[AttemptKey, Progress]:
    """Progress of every promised attempt, in promise order."""
    found: dict[AttemptKey, Progress] = {}
    for event in events:
        if event.key is not None:
            found[event.key] = advance(found.get(event.key, Progress(key=event.key)), event)
    return found


def advance(state: Progress, event: Event) -> Progress:
    """The state after one more event."""
    p = event.payload
    match event.kind:
        case "promised":
            return replace(
                state,
                slice=_text(p.get("slice")),
                control=_text(p.get("control")),
                stratum=_text(p.get("stratum")),
                cause=_text(p.get("cause")) or Cause.PLAN,
                purpose=_text(p.get("purpose")) or SOLVE,
                order=_int(p.get("order")),
            )
        case "started":
            here = moved(state, _text(p.get("place")))
            return replace(here, incarnation=event.incarnation, failure_cause="")
        case "checkpoint.intent" if event.checkpoint == Checkpoint.PATCH_APPLIED:
            return replace(state, apply_pre=_text(p.get("pre")), apply_post=_text(p.get("post")))
        case "checkpoint.done":
            return replace(state, done=_with(state.done, event.checkpoint), unknown_state=False)
        case "patch":
            return replace(state, patch_blob=event.blob)
        case "agent.ended":
            return replace(state, after_cap=p.get("after_cap") is True)
        case "failure" if p.get("recovered") is not True and not state.failure_cause:
            return replace(state, failure_cause=_text(p.get("cause")))
        case "graded":
            return replace(state, verdict=p.get("grade") in VERDICTS)
        case "unknown_state":
            return replace(state, unknown_state=True)
        case "closed":
            return replace(state, closed=True, stop_reason=_text(p.get("stop_reason")))
    return state


def moved(state: Progress, place: str) -> Progress:
    """The attempt as it stands in another place: what was applied elsewhere is not there, and says nothing about this one."""
    if state.place == place:
        return state
    done = tuple(point for point in state.done if point != Checkpoint.PATCH_APPLIED)
    return replace(state, place=place, done=done, apply_pre="", apply_post="")


def _with(done: tuple[str, ...], checkpoint: str) -> tuple[str, ...]:
    return done if checkpoint in done else (*done, checkpoint)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _int(value: Json) -> int:
    return value if isinstance(value, int) else 0
