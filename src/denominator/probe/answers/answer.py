"""Everything about one attempt that a check may look at. Pure: the same exchange gives the same answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from denominator.probe.answers.arrival import Arrival, read_arrival
from denominator.probe.answers.asked import Asked, read_asked
from denominator.probe.answers.message import Message, read_message
from denominator.probe.answers.pieces import Body, Form, read_body
from denominator.records.probe_results import Exchange
from denominator.records.probes import Case, Terms
from denominator.records.rows import Count
from denominator.wire.providers import NO_REPLY, Api, BodyReader, Reply, StreamReader, as_asked, within_cap
from denominator.wire.providers.loose import as_dict

NOTHING = Body(form=Form.EMPTY)
LENGTH = "length"
OK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One attempt, read. `reply` is what the gateway's own reader makes of the same bytes: usage, finish, model, calls."""

    case: Case
    terms: Terms
    asked: Asked
    arrival: Arrival
    body: Body
    said: Message
    reply: Reply

    @property
    def status(self) -> Count:
        """The status of HTTP."""
        return self.arrival.status

    @property
    def good(self) -> bool:
        """Was a good request answered with 200?"""
        return not self.case.control and self.status == OK

    @property
    def done(self) -> bool:
        """Has a stream said that nothing follows?"""
        return self.good and self.body.done_at > 0

    @property
    def ended(self) -> bool:
        """Has the whole answer come, by the rules of HTTP or by the stream's own last word?"""
        return self.arrival.whole or (self.done and not self.arrival.over)

    @property
    def streamed(self) -> bool:
        """Is the body a stream of events, whatever was asked for?"""
        return self.body.form is Form.EVENTS

    @property
    def failed(self) -> bool:
        """Does it carry an error instead of, or behind, an answer?"""
        return bool(self.said.errors or self.said.choice_errors)

    @property
    def told(self) -> bool:
        """Is there an answer whose end was seen? One that broke off says nothing of what would have followed."""
        if not (self.good and self.ended and self.said.begun) or self.failed or self.body.open is not None:
            return False
        return not self.streamed or self.done or bool(self.said.finish)

    @property
    def clear(self) -> bool:
        """Is all that it says known, word for word?"""
        return self.told and not self.body.lost and not self.said.odd_content

    @property
    def cut(self) -> bool:
        """Does it say that the cap cut it?"""
        return bool(self.said.finish == LENGTH)

    @property
    def completion(self) -> Count | None:
        """The completion tokens as they were sent, where they are a count at all."""
        value = as_dict(self.said.usage).get("completion_tokens")
        return value if is_count(value) else None


def is_count(value: Any) -> bool:
    """Is it an integer of 0 or more? True is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def read_answer(case: Case, exchange: Exchange, model: str, terms: Terms) -> Answer:
    """Reads an exchange of a case. `model` is the one that the envelope asks for."""
    asked = read_asked(case, exchange.ask.mode, model)
    arrival = read_arrival(exchange, terms)
    readable = not case.control and arrival.status == OK and not arrival.over
    body = read_body(arrival) if readable else NOTHING
    said = read_message(body)
    said.calls.settle(asked.tools)
    return Answer(
        case=case,
        terms=terms,
        asked=asked,
        arrival=arrival,
        body=body,
        said=said,
        reply=_reply(arrival, body, asked) if readable else NO_REPLY,
    )


def _reply(arrival: Arrival, body: Body, asked: Asked) -> Reply:
    """The reading that a run's calls are counted by."""
    reader: BodyReader | StreamReader = BodyReader(Api.CHAT, len(arrival.body) + 1)
    if body.form is Form.EVENTS:
        reader = StreamReader(Api.CHAT)
    reader.feed(arrival.body)
    return as_asked(within_cap(reader.reply(), asked.cap, asked.choices), asked.usage)
