"""What one exchange says by itself: every fault of every class, flags, a verdict for each promise, times, facts.

Pure: the same case, bytes and stamps give the same `Heard`, on every machine and at any later time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from denominator.probe.answers.answer import Answer, read_answer
from denominator.probe.checks import CHECKS
from denominator.probe.checks.flags import flags
from denominator.probe.checks.formatting import CUT
from denominator.records.probe_results import NO_USAGE, NOT_READ, SILENT, Exchange, Fault, Heard
from denominator.records.probe_words import CONTRACT_OF, PRECEDENCE, Cls, Contract, Kept
from denominator.records.probes import Case, Terms
from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured
from denominator.wire.canonical import sha256_bytes

PLAIN = NotMeasured("an answer that is no stream comes at once")
NO_TEXT = NotMeasured("no text and no call came")
UNENDED = NotMeasured("the answer did not come to its end")
COMPLETE_BELOW = PRECEDENCE.index(Cls.TRUNCATION_AMBIGUITY)
"""Classes before this one mean that there was no whole answer to a good request."""


def hear(case: Case, exchange: Exchange, model: str, terms: Terms) -> Heard:
    """Judges one exchange of a case. `model` is the envelope's, which a case may replace."""
    answer = read_answer(case, exchange, model, terms)
    faults, observed = _faults(answer)
    reply, good = answer.reply, answer.good
    return Heard(
        ask=exchange.ask,
        window=exchange.window,
        end=exchange.end,
        status=answer.status,
        faults=(*faults, *observed),
        flags=flags(answer),
        judgements=_judgements(answer, faults),
        complete=good and not any(PRECEDENCE.index(Cls(one.cls)) < COMPLETE_BELOW for one in faults),
        finish=reply.finish if good else SILENT,
        model=reply.model if good else SILENT,
        fingerprint=reply.fingerprint if good else SILENT,
        usage=reply.usage if good else NO_USAGE,
        usage_convention=reply.usage_convention if good else SILENT,
        content_sha256=_content(answer),
        content_chars=len(answer.said.text) if answer.clear else NOT_READ,
        first_byte_us=answer.arrival.first_byte_us,
        first_content_us=_first_content(answer),
        total_us=_total(answer),
        queued_us=exchange.queued_us,
        body_sha256=sha256_bytes(answer.arrival.http.body) if isinstance(answer.status, int) else NOT_READ,
    )


def _faults(answer: Answer) -> tuple[list[Fault], list[Fault]]:
    """Faults by precedence, then observations. A malformed control is asked for nothing but its refusal."""
    found = [fault for check in CHECKS if _applies(answer, check.cls) for fault in check.find(answer)]
    broken = [fault for fault in found if not fault.observed]
    return sorted(broken, key=lambda one: PRECEDENCE.index(Cls(one.cls))), [one for one in found if one.observed]


def _applies(answer: Answer, cls: Cls) -> bool:
    return cls in _of_control(answer) if answer.case.control else cls is not Cls.ERROR_CONTRACT


def _of_control(answer: Answer) -> tuple[Cls, ...]:
    """What can be said of a control: its contract, or why nobody could break it."""
    never_asked = answer.status is NOT_READ and not any(c.seen(answer) for c in CHECKS if c.cls is Cls.ERROR_CONTRACT)
    return (Cls.TRANSPORT_ERROR, Cls.TIMEOUT) if never_asked else (Cls.HTTP_ERROR, Cls.ERROR_CONTRACT)


def _judgements(answer: Answer, faults: Iterable[Fault]) -> Mapping[str, str]:
    """A word for every promise: broken, kept, or nothing could be said, as of the form of a value that the cap cut off."""
    broken = {CONTRACT_OF[Cls(one.cls)] for one in faults if one.reason != CUT}
    found: dict[str, str] = {}
    for contract in Contract:
        checks = [check for check in CHECKS if check.contract is contract]
        known = all(_applies(answer, check.cls) and check.seen(answer) for check in checks)
        found[contract] = Kept.FAIL if contract in broken else (Kept.PASS if known else Kept.NOT_EVALUABLE)
    return found


def _content(answer: Answer) -> Text:
    """Of the text; of calls the digest of their names and arguments, beside the text."""
    said = answer.said
    calls = [[call.name, call.arguments] for call in said.calls.made]
    if not answer.clear or not (calls or said.text):
        return NO_TEXT
    text = json.dumps([said.text, *calls]) if calls else said.text
    return sha256_bytes(text.encode("utf-8", "replace"))


def _first_content(answer: Answer) -> Count:
    if not answer.streamed:
        return PLAIN
    return answer.arrival.at(answer.said.first_at) if answer.said.first_at else NO_TEXT


def _total(answer: Answer) -> Count:
    """Until the final event of a stream, else until HTTP's end."""
    if answer.done:
        return answer.arrival.at(answer.body.done_at)
    return answer.arrival.exchange.end_us if answer.arrival.whole else UNENDED
