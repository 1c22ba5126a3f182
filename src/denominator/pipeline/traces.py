"""What a run of ours keeps of what its agents did, one started attempt after the other, for export."""

from __future__ import annotations

from collections.abc import Iterator

from denominator.errors import DenominatorError
from denominator.pipeline.narration import prompt_for
from denominator.pipeline.trajectories import ATIF
from denominator.pipeline.world import OpenRun
from denominator.records.events import Event, Json
from denominator.records.exports import AttemptTrace
from denominator.records.rows import AttemptRow, Ledger, Text
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.strict import loads

PROMPT_BYTES = 16 << 20
TOOLS = "tools"
NO_OWN = NotMeasured("the agent left no trajectory that can be read")


def traces_of(run: OpenRun, ledger: Ledger) -> Iterator[AttemptTrace]:
    """Traces in the order of the ledger's rows; one is held at a time."""
    for row in ledger.rows:
        if row.incarnations:
            yield _trace(run, row)


def _trace(run: OpenRun, row: AttemptRow) -> AttemptTrace:
    events = [event for event in run.journal.events(row.key) if event.incarnation == row.incarnations]
    arm = run.seal.arm

    def body(sha256: str) -> bytes:
        try:
            return run.blobs.get(sha256)
        except (DenominatorError, OSError):
            raise KeyError(sha256) from None

    return AttemptTrace(
        row=row,
        agent=str(arm.agent) if isinstance(arm.agent, str) else "",
        agent_version=arm.agent_version,
        model=NotMeasured("no model is called") if arm.model.id == "none" else arm.model.id,
        prompt=_prompt(run, row),
        own=_own(run, events),
        log=_blob(run, events, TOOLS),
        calls=tuple(call for call in run.journal.calls(row.key) if call.incarnation == row.incarnations),
        bodies=body,
    )


def _prompt(run: OpenRun, row: AttemptRow) -> Text:
    try:
        data = read_bytes(run.task_folder(row.key.task_id) / "prompt.md", PROMPT_BYTES)
    except (DenominatorError, OSError):
        return NotMeasured("the pack is not beside the run any more")
    return prompt_for(row.key, data).decode("utf-8", "replace")


def _own(run: OpenRun, events: list[Event]) -> dict[str, Json] | NotMeasured:
    data = _blob(run, events, ATIF)
    try:
        found = loads(data) if data else None
    except DenominatorError:
        return NO_OWN
    return found if isinstance(found, dict) else NO_OWN


def _blob(run: OpenRun, events: list[Event], stream: str) -> bytes:
    """The newest output of a stream; nothing where it is gone."""
    blobs = [event.blob for event in events if event.kind == "output" and event.stream == stream and event.blob]
    try:
        return run.blobs.get(blobs[-1]) if blobs else b""
    except (DenominatorError, OSError):
        return b""
