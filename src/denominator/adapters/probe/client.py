"""One attempt: a fresh connection, the request, every byte of the answer with its time, and how it ended.

No redirect is followed, nothing is sent twice, no proxy is taken from the environment, and no coding but identity is asked
for. Whatever a server does, there is an exchange in the end, at the latest at the deadline.
"""

from __future__ import annotations

import hashlib
import ssl
from datetime import timedelta

from denominator._version import __version__
from denominator.adapters.gateway.upstream import Upstream
from denominator.adapters.probe.answer import Answer
from denominator.adapters.probe.covering import cover
from denominator.adapters.probe.key_forms import KeyFinder
from denominator.adapters.probe.link import Link, connect
from denominator.adapters.probe.talk import Talk
from denominator.adapters.probe.timing import EndedError, StoppedError, Timer
from denominator.errors import InputError
from denominator.ports import Clock, Stop
from denominator.records.probe_results import Exchange
from denominator.records.probe_words import End, Mode
from denominator.records.probes import Ask, Terms
from denominator.records.values import NotMeasured
from denominator.wire.times import read_time

NOT_CONNECTED = NotMeasured("no connection")
NOT_SENT = NotMeasured("the request was not sent to its end")


class ProbeClient:
    """Asks one endpoint under fixed terms. May be used by several threads. Raises InputError for an address it cannot write."""

    def __init__(self, to: Upstream, terms: Terms, clock: Clock) -> None:
        self._to = to
        self._terms = terms
        self._clock = clock
        self._tls = ssl.create_default_context() if to.scheme == "https" else None
        self._key = KeyFinder(to.key)
        self._head = _head(to)

    def exchange(
        self, body: bytes, ask: Ask, window: int, due_ns: int | None = None, stop: Stop | None = None
    ) -> Exchange | None:
        """Sends `body` once. None when `stop` was set meanwhile: then nothing is known of it.

        `due_ns` is when a fixed rate wanted it sent; times count from there, the deadline from now. MachineError when this
        machine has no room for a connection.
        """
        now = self._clock.mono_ns()
        zero = min(now, now if due_ns is None else due_ns)
        timer = Timer(self._clock, zero, now, self._terms.deadline_ms, stop)
        started_at = earlier(self._clock.wall(), (now - zero) // 1_000_000)
        answer = Answer(self._terms.body_bytes_max, streamed=ask.mode == Mode.STREAM)
        connected, sent = -1, -1
        link: Link | None = None
        try:
            link = connect(self._to, timer, self._tls)
            connected = timer.us()
            gap = self._terms.gap_ms if ask.mode == Mode.STREAM else 0
            talk = Talk(link, self._head % len(body) + body, answer, timer, gap)
            end = talk.run()
            sent = talk.sent_us
        except EndedError as error:
            end = error.end
        except StoppedError:
            return None
        finally:
            if link is not None:
                link.close()
        end_us = timer.us()
        kept = cover(
            bytes(answer.wire), tuple(answer.at), self._key, self._terms.body_bytes_max, closed=end is End.COMPLETE
        )
        return Exchange(
            ask=ask,
            window=window,
            started_at=started_at,
            end=end.value,
            wire=kept.wire,
            at=kept.at,
            end_us=end_us,
            queued_us=(now - zero) // 1_000,
            connected_us=NOT_CONNECTED if connected < 0 else connected,
            sent_us=NOT_SENT if sent < 0 else sent,
            request_sha256=hashlib.sha256(body).hexdigest(),
            key_echoed=kept.echoed,
        )

    def knock(self, stop: Stop | None = None) -> End | None:
        """Opens a connection and closes it without a word; how that failed, or None where it did not."""
        now = self._clock.mono_ns()
        try:
            connect(self._to, Timer(self._clock, now, now, self._terms.deadline_ms, stop), self._tls).close()
        except EndedError as error:
            return error.end
        except StoppedError:
            return None
        return None


def earlier(stamp: str, ms: int) -> str:
    """A wall stamp moved back by milliseconds; one that is no time stays as it is."""
    found = read_time(stamp)
    if found is None or not ms:
        return stamp
    return (found - timedelta(milliseconds=ms)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _head(to: Upstream) -> bytes:
    """The head of every request, but for the length of its body."""
    lines = [
        f"POST {to.base}/chat/completions HTTP/1.1",
        f"Host: {to.named}",
        f"User-Agent: denominator/{__version__}",
        "Accept: application/json, text/event-stream",
        "Accept-Encoding: identity",
        "Connection: close",
        "Content-Type: application/json",
    ]
    text = "\r\n".join(lines)
    where = to.base + to.named
    if not (where.isascii() and where.isprintable() and " " not in where):
        raise InputError(
            "the address holds characters that a request cannot carry",
            where="endpoint.url",
            fix="write them as %XX, and a host name in its ASCII form",
        )
    secret = f"\r\nAuthorization: Bearer {to.key}" if to.key else ""
    return (text + secret).replace("%", "%%").encode("ascii") + b"\r\nContent-Length: %d\r\n\r\n"
