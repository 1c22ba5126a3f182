"""Status 200, and no chat completion in the body: a fault of the server, not of the model.

Why it matters: forgiving parsers take a key that is there twice, NaN or a byte order mark, strict ones refuse the whole
answer; what works with one client fails with the next.

Bad: a sign-in page; `"choices": []`; content as a list of parts; `-Infinity` as a log probability; an event stream that
nobody asked for; `data:` with a comment in it. Good: numbers such as 1e999 and lone halves of a surrogate pair, which the
grammar allows; a first chunk without choices; comments between events.
Fix: report it to whoever runs the server; a client that repairs such bodies measures its own repair.
"""

from __future__ import annotations

from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.pieces import Form
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls


def find(answer: Answer) -> Iterator[Fault]:
    """Each reason once. Events that came whole are judged even where the stream broke off behind them."""
    if not answer.good or not (answer.ended or answer.streamed):
        return
    told = dict.fromkeys(_odd(answer))
    once: set[str] = set()
    for reason, note in told:
        if reason not in once:
            once.add(reason)
            yield Fault(cls=Cls.ENVELOPE_ERROR, reason=reason, note=note)


def _odd(answer: Answer) -> Iterator[tuple[str, str]]:
    body, said = answer.body, answer.said
    if answer.ended and body.form is Form.EMPTY:
        yield "empty_body", "nothing but white space" if answer.arrival.body else "no byte"
    if answer.streamed and not answer.asked.stream:
        yield "sse_unrequested", "an event stream for a request that asked for none"
    yield from body.odd
    if body.pieces and answer.ended and not answer.failed:
        yield from _message(answer)
    if said.odd_content:
        yield "content_not_string", "the content is no text"


def _message(answer: Answer) -> Iterator[tuple[str, str]]:
    """A document holds a choice with a message; a stream at least one delta, once it holds a choice."""
    said = answer.said
    if not said.chosen:
        if not answer.streamed:
            yield "no_choices", "no choice in the document"
    elif not said.begun:
        yield "no_message", f"no {'delta' if answer.streamed else 'message'} in the choice"


def seen(answer: Answer) -> bool:
    """Of every whole answer with status 200."""
    return answer.good and answer.ended


CHECK = Check(page("PC006", Cls.ENVELOPE_ERROR, __doc__), Cls.ENVELOPE_ERROR, find, seen)
