"""An exchange as HTTP: status, body without its codings, whether it is whole, and when each byte of it was there."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.probe_results import NOT_READ, Exchange
from denominator.records.probe_words import End
from denominator.records.probes import Terms
from denominator.records.rows import Count
from denominator.records.values import NotMeasured
from denominator.wire.http_coding import Decoded, decoded
from denominator.wire.http_reply import HttpReply, State, arrived_us, read_reply
from denominator.wire.providers.loose import clean

NO_BYTE = NotMeasured("no byte of an answer arrived")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """`body` has neither transfer nor content coding. `whole`: HTTP says that it is complete."""

    exchange: Exchange
    http: HttpReply
    coded: Decoded

    @property
    def status(self) -> Count:
        """The status, where a whole head came."""
        return self.http.status if isinstance(self.http.status, int) else NOT_READ

    @property
    def body(self) -> bytes:
        """The body, decoded."""
        return self.coded.data

    @property
    def whole(self) -> bool:
        """Is the message complete, in a coding that could be removed, within the cap?"""
        return self.http.whole and not self.coded.bad_encoding and not self.over

    @property
    def over(self) -> bool:
        """Is the body larger than what is read?"""
        return self.http.state is State.OVER or self.coded.over or self.exchange.end == End.CAP

    @property
    def labelled_events(self) -> bool:
        """Does its label say that it is a stream of events?"""
        return self.http.header("content-type").strip().lower().startswith("text/event-stream")

    @property
    def label(self) -> str:
        """What its label says, for a note."""
        return clean(self.http.header("content-type").partition(";")[0].strip()) or "no content type"

    def at(self, size: int) -> Count:
        """When the first `size` bytes of the decoded body were there; microseconds."""
        return arrived_us(self.exchange.at, self.http.wire_size(self.coded.coded_size(size)))

    @property
    def first_byte_us(self) -> Count:
        """When the first byte came."""
        return self.exchange.at[0][1] if self.exchange.at and self.exchange.wire else NO_BYTE


def read_arrival(exchange: Exchange, terms: Terms) -> Arrival:
    """Reads the stored bytes. A connection that was closed in order ends a body that has no other end."""
    http = read_reply(exchange.wire, terms.body_bytes_max, closed=exchange.closed)
    return Arrival(exchange=exchange, http=http, coded=decoded(http, terms.body_bytes_max))
