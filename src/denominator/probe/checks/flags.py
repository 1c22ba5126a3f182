"""Oddities that break no promise: they stand beside a class and change none.

Bad reading: an endpoint that echoes another model's name fails. Good reading: it is told, because a result needs the name
of what answered, and aliases are legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from denominator.probe.answers.answer import Answer
from denominator.probe.checks.control import error_object, is_standard
from denominator.records.probe_words import FLAGS, End, Kind
from denominator.wire.retry_after import is_readable

MILLISECONDS = re.compile(r"[0-9]+(\.[0-9]+)?")


def flags(answer: Answer) -> tuple[str, ...]:
    """The flags of an attempt, in the order of their list."""
    return tuple(word for word in FLAGS if word in RAISED and RAISED[word](answer))


def _other_model(answer: Answer) -> bool:
    return any(model != answer.asked.model for model in answer.said.models)


def _slow(answer: Answer) -> bool:
    """By the first byte, which no length of an answer delays."""
    first = answer.arrival.first_byte_us
    return isinstance(first, int) and first > answer.terms.slow_ms * 1000


def _odd_error(answer: Answer) -> bool:
    status = answer.status
    body = error_object(answer) if answer.case.control and isinstance(status, int) and status // 100 == 4 else None
    return body is not None and not is_standard(body)


def _unreadable_wait(answer: Answer) -> bool:
    """Is there a header that says how long to wait, and does not?"""
    http = answer.arrival.http
    seconds = [value for value in http.values("retry-after") if not is_readable(value)]
    return bool(seconds) or any(not MILLISECONDS.fullmatch(value.strip()) for value in http.values("retry-after-ms"))


RAISED: Mapping[str, Callable[[Answer], bool]] = {
    "model_mismatch": _other_model,
    "fingerprint_changed": lambda answer: len(set(answer.said.fingerprints)) > 1,
    "usage_repeated": lambda answer: len(answer.said.usages) > 1,
    "nonstandard_error_shape": _odd_error,
    "gzip_unrequested": lambda answer: answer.arrival.coded.coded and not answer.arrival.coded.bad_encoding,
    "slow": _slow,
    "sse_comments": lambda answer: answer.body.comments > 0,
    "open_after_done": lambda answer: answer.arrival.exchange.end == End.DONE,
    "bytes_after_end": lambda answer: answer.arrival.http.extra > 0 or answer.body.after > 0,
    "retry_after_unreadable": _unreadable_wait,
    "key_echoed": lambda answer: answer.arrival.exchange.key_echoed,
    "cut_by_cap": lambda answer: answer.told and answer.cut and answer.case.kind != Kind.CAP,
}
