"""The progress of `probe run`: how each attempt ended, never how many passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.cli.progress import make_reporter
from denominator.records.keys import AttemptKey

if TYPE_CHECKING:
    from denominator.records.probe_results import Exchange

ENDS = {
    "deadline": "the deadline came first",
    "gap": "the stream fell silent",
    "cap": "more than the body cap",
    "fin": "closed before its end",
    "reset": "connection reset",
    "illegal": "not HTTP",
    "refused": "connection refused",
    "name_unknown": "name unknown",
    "certificate_refused": "certificate not vouched for",
    "send_failed": "the request was not taken",
}
"""Ends of answers that are not whole, in words."""


class ProbeProgress:
    """Shows attempts as other verbs show theirs."""

    def __init__(self, quiet: bool) -> None:
        self._reporter = make_reporter(0, quiet)

    def __enter__(self) -> ProbeProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self._reporter.stop()

    def expect(self, attempts: int) -> None:
        """How many measured attempts are still to be made."""
        self._reporter.expect(attempts)

    def line(self, text: str) -> None:
        """A line for people."""
        self._reporter.line(text)

    def ended(self, exchange: Exchange) -> None:
        """One attempt is stored."""
        from denominator.wire.http_reply import read_reply

        ask = exchange.ask
        status = read_reply(exchange.wire[:4096], 0).status
        seen = f"status {status}" if isinstance(status, int) else "no answer"
        word = ", ".join([seen, *([ENDS[exchange.end]] if exchange.end in ENDS else []), _seconds(exchange.end_us)])
        if ask.purpose == "warmup":
            self._reporter.line(f"warm-up: {word}")
            return
        self._reporter.attempt(AttemptKey("", f"{ask.case_id} {ask.mode}", 1, ask.attempt), word, {})


def _seconds(us: int) -> str:
    return f"{us // 1_000_000}.{us // 1_000 % 1_000:03} s"
