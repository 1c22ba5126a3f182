"""Writing one attempt's events: the only place where the engine speaks to the journal about an attempt."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from denominator.errors import InjectedError
from denominator.pipeline.world import OpenRun
from denominator.ports import Clock
from denominator.records.events import Draft, Json
from denominator.records.facts import Facts
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.words import Checkpoint, Phase, StopReason, Writer


class StoppedError(Exception):
    """The run was told to stop; the attempt stays open and nothing of it is recorded as an ending."""


@dataclass(frozen=True, slots=True)
class Notes:
    """The journal as one incarnation of one attempt writes it; an ending and what ended it are one transaction."""

    run: OpenRun
    key: AttemptKey
    incarnation: int
    clock: Clock
    begun_ns: int

    def draft(self, kind: str, phase: Phase, writer: Writer, payload: Mapping[str, Json], **more: str) -> Draft:
        """An event of this attempt, not yet written."""
        return Draft(
            kind=kind,
            phase=phase,
            writer=writer,
            key=self.key,
            incarnation=self.incarnation,
            payload=payload,
            checkpoint=more.get("checkpoint", ""),
            stream=more.get("stream", ""),
            blob=more.get("blob", ""),
        )

    def write(self, *drafts: Draft) -> None:
        """Append events together, or none of them."""
        self.run.journal.append(*drafts)

    def calls(self) -> list[CallRow]:
        """The model calls of this incarnation."""
        return [call for call in self.run.journal.calls(self.key) if call.incarnation == self.incarnation]

    def started(
        self, after: str, slot: int, cold: bool, queue_wait_ms: int, left: str = "", armed: Sequence[str] = ()
    ) -> None:
        """This incarnation begins; `left` is the place where a tree was applied that does not count here.

        `armed` are the failpoints of the process that it begins in.
        """
        payload: dict[str, Json] = {
            "queue_wait_ms": queue_wait_ms,
            "cold_start": cold,
            "slot": slot,
            "from": after,
        }
        if self.run.place:
            payload["place"] = self.run.place
        if left:
            payload["reset"] = left
        if armed:
            payload["failpoints"] = [*armed]
        self.write(self.draft("started", Phase.SETUP, Writer.HARNESS, payload))

    def intent(self, checkpoint: Checkpoint, phase: Phase, pre: str, post: str = "", blob: str = "") -> None:
        """Say what is about to be done, before it is done."""
        self.write(self.intended(checkpoint, phase, pre, post, blob))

    def intended(self, checkpoint: Checkpoint, phase: Phase, pre: str, post: str = "", blob: str = "") -> Draft:
        """The event that says what is about to be done."""
        payload: dict[str, Json] = {"pre": pre, "post": post}
        return self.draft("checkpoint.intent", phase, Writer.HARNESS, payload, checkpoint=checkpoint, blob=blob)

    def done(self, checkpoint: Checkpoint, phase: Phase, post: str) -> Draft:
        """The event that says it is done; written together with what was found."""
        return self.draft("checkpoint.done", phase, Writer.HARNESS, {"post": post}, checkpoint=checkpoint)

    def failure(self, cause: str, phase: Phase, writer: Writer, detail: str) -> Draft:
        """A failure that nothing recovered from."""
        payload: dict[str, Json] = {"cause": cause, "detail": detail[:2000], "recovered": False}
        return self.draft("failure", phase, writer, payload)

    def facts(self, found: Facts) -> Draft:
        """What a reader made of stored bytes, once."""
        payload: dict[str, Json] = {
            "reader": found.reader,
            "version": found.version,
            "data": dict(found.data),
            "sources": list(found.sources),
        }
        return self.draft("facts", Phase.HARNESS, Writer.HARNESS, payload)

    def outputs(self, phase: Phase, streams: Mapping[str, tuple[str, int]]) -> list[Draft]:
        """What was printed or left in a phase: stream -> (blob, bytes)."""
        return [
            self.draft("output", phase, Writer.SANDBOX, {"bytes": size}, stream=name, blob=sha)
            for name, (sha, size) in streams.items()
        ]

    def end(self, stop_reason: StopReason, *drafts: Draft) -> None:
        """Write what was found and that the attempt has ended; nothing is written about it after this."""
        payload: dict[str, Json] = {"stop_reason": str(stop_reason), "wall_ms": self.elapsed_ms()}
        self.write(*drafts, self.draft("closed", Phase.HARNESS, Writer.HARNESS, payload))

    def end_by_machine(self, error: OSError) -> None:
        """An error of the host's own system: disk full is INFRA, one that a failpoint made is a fault of ours on purpose."""
        full = self.is_full(error) and not isinstance(error, InjectedError)
        cause = "injected_fault" if isinstance(error, InjectedError) else "disk_full" if full else "harness_error"
        failure = self.failure(cause, Phase.HARNESS, Writer.HARNESS, str(error))
        self.end(StopReason.INFRA if full else StopReason.HARNESS, failure)

    @staticmethod
    def is_full(error: OSError) -> bool:
        """Is it the disk that had no room?"""
        return error.errno in (errno.ENOSPC, errno.EDQUOT)

    def elapsed_ms(self) -> int:
        """Since this incarnation began."""
        return (self.clock.mono_ns() - self.begun_ns) // 1_000_000
