"""Did the model provider end an attempt? From the recorded calls, never from what an agent says about them."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.labels.causes import cause_rule
from denominator.pipeline.notes import Notes
from denominator.pipeline.world import OpenRun
from denominator.ports import Ended
from denominator.readers.provider import CONTEXT, Broken, unrecovered
from denominator.records.events import Draft
from denominator.records.trees import Patch
from denominator.records.words import KilledBy, Origin, Phase, StopReason, Writer

ENDS = {Origin.INFRA: StopReason.TRANSPORT, Origin.HARNESS: StopReason.HARNESS}


@dataclass(frozen=True, slots=True)
class Failed:
    """A failure event of the agent's phase and, where it leaves nothing to grade, how it ends the attempt."""

    event: Draft
    stop_reason: StopReason | None


def ended_by_provider(run: OpenRun, notes: Notes, ended: Ended) -> Broken | None:
    """The provider's failure that nothing recovered from, unless somebody had to end the agent."""
    if ended.killed_by != KilledBy.NOBODY:
        return None
    calls = [call for call in run.journal.calls(notes.key) if call.incarnation == notes.incarnation]
    return unrecovered(calls)


def outgrew_window(broken: Broken) -> bool:
    """Did the agent itself let its history grow over the served window? That is its token budget, nobody's fault."""
    return broken.cause == CONTEXT and not broken.first


def provider_failure(notes: Notes, ended: Ended, patch: Patch, broken: Broken | None) -> Failed | None:
    """The failure as an event. It ends the attempt unless the agent went on to a clean end with a patch."""
    if broken is None or outgrew_window(broken):
        return None
    origin = cause_rule(broken.cause, notes.run.seal.causes).origin
    if origin not in ENDS:
        return None
    call = broken.call
    detail = f"call {call.seq}: status {call.status}, {call.error}; no later call was answered"
    event = notes.failure(broken.cause, Phase.AGENT, Writer.PROVIDER, detail)
    went_on = ended.exit_code == 0 and bool(patch.changes)
    return Failed(event, None if went_on else ENDS[Origin(origin)])
