"""A sample of an Inspect log: only the fields that are needed, decoded without the messages and events around them."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from functools import cache
from typing import Any

import msgspec

from denominator.errors import InputError
from denominator.importers.foreign import digest
from denominator.wire.sources import loose_json, values_in, without_nan

SAMPLE_BYTES = 256 << 20
"""No sample is longer: it is decoded as a whole."""
VALUES_MAX = 2_000_000
"""No sample holds more values: however short its text is, each of them takes a hundred bytes of memory."""
NOTHING = msgspec.Raw(b"null")


class Edit(msgspec.Struct):
    """What a score was, or was changed to."""

    value: Any = None


class ScoreNote(msgspec.Struct):
    """Where older logs keep the reason of an unscored sample."""

    unscored_reason: Any = None


class Score(msgspec.Struct):
    """A value of a scorer: text, number, boolean, or several of them in a list or a table. NaN is read as null."""

    value: Any = None
    reason: Any = None
    history: list[Edit] | None = None
    metadata: ScoreNote | None = None


class Wrong(msgspec.Struct):
    """An error: the exception's own message, or its representation; and the traceback."""

    message: str = ""
    traceback: str = ""


class Limit(msgspec.Struct):
    """What stopped a sample."""

    type: str = ""


class Event(msgspec.Struct):
    """What is looked at in an event: the sample as it was run, an answer from the cache, retries of a call."""

    event: str = ""
    sample: msgspec.Raw = NOTHING
    cache: Any = None
    retries: Any = None


class Output(msgspec.Struct):
    """The last answer."""

    model: Any = None


class Fallback(msgspec.Struct):
    """Another model that answered in the place of the one that was asked."""

    fallback_model: Any = None


class Sample(msgspec.Struct):
    """A sample, or its line in the summaries, where error and limit are texts."""

    id: Any = None
    epoch: Any = None
    scores: dict[str, Score] | None = None
    score: Score | None = None
    error: Wrong | str | None = None
    error_retries: list[Wrong] | None = None
    limit: Limit | str | None = None
    invalidation: Any = None
    model_usage: dict[str, dict[str, Any]] | None = None
    model_fallbacks: list[Fallback] | None = None
    output: Output | None = None
    events: list[Event] | None = None
    started_at: Any = None
    total_time: Any = None
    working_time: Any = None
    uuid: Any = None
    turn_count: Any = None
    message_count: Any = None
    retries: Any = None
    completed: Any = None


@cache
def _decoder(of: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(of, float_hook=Decimal)


def sample_of(data: bytes, where: str) -> Sample:
    """A sample. InputError: no JSON, or a field that holds something else than a sample does."""
    found: Sample = _decoded(data, where, Sample)
    return found


def sample_or_none(data: bytes, where: str) -> Sample | None:
    """A sample; None where it is none, for whoever wants to hear why can ask again."""
    try:
        return sample_of(data, where)
    except InputError:
        return None


class Parsed:
    """The last sample that was parsed, with its bytes: who looks for the ends of samples parses them, and nobody a second time."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._data, self._sample = b"", Sample()

    def parses(self, data: bytes) -> bool:
        """Are the bytes exactly one sample?"""
        try:
            self._sample = sample_of(data, self._where)
        except InputError:
            return False
        self._data = data
        return True

    def of(self, data: bytes) -> Sample | None:
        """The sample that these very bytes are, if they were parsed last."""
        return self._sample if data is self._data else None


def summaries_of(data: bytes, where: str) -> list[Sample]:
    """The lines of the summaries. InputError as for a sample."""
    found: list[Sample] = _decoded(data, where, list[Sample])
    return found


def _decoded(data: bytes, where: str, of: Any) -> Any:
    """By the quick reader; NaN and Infinity, which it refuses, are null."""
    if values_in(data, VALUES_MAX) > VALUES_MAX:
        raise InputError(f"holds more than {VALUES_MAX} values", where=where)
    try:
        return _decoder(of).decode(data)
    except (msgspec.ValidationError, RecursionError) as error:
        what = "is nested too deeply" if isinstance(error, RecursionError) else f"is no sample: {error}"
        raise InputError(what[:300], where=where) from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, ArithmeticError) as error:
        plain = without_nan(data)
        if plain is data or plain == data:
            raise InputError(f"is no JSON: {error}"[:300], where=where) from None
    return _decoded(plain, where, of)


def content_of(sample: Sample) -> bytes:
    """The sample as it was run, as bytes of JSON; nothing where the log has no such event."""
    for event in sample.events or ():
        if event.event == "sample_init" and event.sample is not NOTHING:
            return bytes(event.sample)
    return b""


def content_digest(content: bytes, where: str) -> str:
    """sha256 of what a sample holds, however it was written; without what the run itself put into it. "" where unreadable."""
    try:
        return digest(loose_json(content, where))
    except InputError:
        return ""


def raw_digest(data: bytes) -> str:
    """sha256 of bytes."""
    return hashlib.sha256(data).hexdigest()
