"""Did the model provider end an attempt? From the recorded calls, never from what an agent says about them."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.labels.causes import cause_rule
from denominator.pipeline.notes import Notes
from denominator.pipeline.world import World
from denominator.ports import Ended
from denominator.readers.failed import in_the_way
from denominator.readers.provider import CONTEXT, INJECTED, Broken, held_up, unrecovered
from denominator.records.cassettes import NOT_PLAYED
from denominator.records.events import Draft
from denominator.records.trees import Patch
from denominator.records.words import KilledBy, Origin, Phase, StopReason, Writer

HELD = "what such calls cost is unknown, and nothing else kept the next call from the attempt's own budget"
ENDS = {Origin.INFRA: StopReason.TRANSPORT, Origin.HARNESS: StopReason.HARNESS}


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure event of the agent's phase and, where it leaves nothing to grade, how it ends the attempt."""

    event: Draft
    stop_reason: StopReason | None


def ended_by_provider(notes: Notes, ended: Ended) -> Broken | None:
    """The provider's failure that nothing recovered from, unless somebody had to end the agent; then only what is our own."""
    calls = notes.calls()
    return held_up(calls) if ended.killed_by != KilledBy.NOBODY else unrecovered(calls)


def held_by_failed_calls(notes: Notes) -> Broken | None:
    """The failed call that speaks for an attempt whose budget was refused for nothing but failed calls."""
    return in_the_way(notes.calls())


def outgrew_window(broken: Broken) -> bool:
    """Did the agent itself let its history grow over the served window? That is its token budget, nobody's fault."""
    return broken.cause == CONTEXT and not broken.first


def provider_failure(
    notes: Notes, ended: Ended, patch: Patch, broken: Broken | None, *, held: bool = False
) -> Failed | None:
    """The failure as an event. It ends the attempt unless the agent went on to a clean end with a patch.

    It always does where failed calls `held` the attempt's budget: the agent was told to finish. After a call that the
    recording could not answer a patch is worth nothing: the agent heard another model.
    """
    if broken is None or outgrew_window(broken):
        return None
    origin = cause_rule(broken.cause, notes.run.seal.causes).origin
    if origin not in ENDS:
        return None
    writer = Writer.HARNESS if broken.cause in (INJECTED, *NOT_PLAYED) else Writer.PROVIDER
    event = notes.failure(broken.cause, Phase.AGENT, writer, told(broken, held=held))
    went_on = not held and ended.exit_code == 0 and bool(patch.changes) and broken.cause not in NOT_PLAYED
    return Failed(event, None if went_on else ENDS[Origin(origin)])


def told(broken: Broken, *, held: bool = False) -> str:
    """The failure for people; of a request that was not recorded the places in which it differs, never what stands there."""
    call = broken.call
    if broken.cause in NOT_PLAYED:
        return f"call {call.seq}: {call.error}: {'; '.join(call.differs) or 'its texts cannot be used'}"
    made = f"{call.injected} was made by the harness; " if broken.cause == INJECTED else ""
    after = HELD if held else "no later call was answered"
    return f"call {call.seq}: {made}status {call.status}, {call.error}; {after}"


def say_not_played(world: World, notes: Notes, broken: Broken | None) -> None:
    """Tell people at once why an attempt that is played from a recording ends."""
    if broken is not None and broken.cause in NOT_PLAYED:
        key = notes.key
        world.reporter.line(f"{key.task_id} repeat {key.repeat} attempt {key.attempt}: {told(broken)}")
