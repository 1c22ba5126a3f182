"""Sending a request while its answer is read: whoever answers early, late, in drips or never, it ends by a limit."""

from __future__ import annotations

from denominator.adapters.probe.answer import Answer
from denominator.adapters.probe.link import Link
from denominator.adapters.probe.timing import EndedError, Timer
from denominator.records.probe_words import End

GRACE_MS = 300
"""How long after the last word of a stream HTTP has to end the message too."""
NO_LIMIT_MS = 2**31


class Talk:
    """One request and its answer. `gap_ms` bounds silence after the first byte (0: only the deadline does)."""

    def __init__(self, link: Link, request: bytes, answer: Answer, timer: Timer, gap_ms: int) -> None:
        self._link = link
        self._unsent = memoryview(request)
        self._answer = answer
        self._timer = timer
        self._gap_ms = gap_ms
        self._refused = False
        self.sent_us = -1
        """When the last byte of the request was given to the system; -1: not all of it was."""

    def run(self) -> End:
        """Until the answer is there or a limit is reached. Raises StoppedError alone."""
        try:
            while not (end := self._answer.end):
                quiet = self._quiet_ms()
                if quiet <= 0:
                    return End.DONE if self._answer.done_us >= 0 else End.GAP
                nap = self._timer.nap_ms(quiet)
                if not (self._send() | self._receive()):
                    self._link.wait(write=self._link.full and bool(self._unsent), ms=nap)
        except EndedError as error:
            return self._ended(error.end)
        return end

    def _quiet_ms(self) -> int:
        """How long the silence may still last."""
        if self._answer.done_us >= 0:
            return GRACE_MS - (self._timer.us() - self._answer.done_us) // 1_000
        if self._gap_ms and self._answer.at:
            return self._gap_ms - (self._timer.us() - self._answer.at[-1][1]) // 1_000
        return NO_LIMIT_MS

    def _send(self) -> bool:
        if not self._unsent:
            return False
        try:
            taken = self._link.write(self._unsent)
        except EndedError:
            # Whoever takes no more of the request may have answered already.
            self._refused, self._unsent = True, self._unsent[:0]
            return False
        self._unsent = self._unsent[taken:]
        if not self._unsent:
            self.sent_us = self._timer.us()
        return taken > 0

    def _receive(self) -> bool:
        data = self._link.read()
        if data is None:
            return False
        if not data:
            raise EndedError(self._answer.closed())
        self._answer.take(data, self._timer.us())
        return True

    def _ended(self, end: End) -> End:
        if end is End.DEADLINE and self._answer.done_us >= 0:
            return End.DONE
        unsent = self._refused or bool(self._unsent)
        nothing = not self._answer.wire and end in (End.FIN, End.RESET)
        return End.SEND_FAILED if unsent and nothing else end
