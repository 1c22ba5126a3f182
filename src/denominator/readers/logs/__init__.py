"""Text logs of other harnesses: streams by owner, structured events, known texts as hints. Nothing here labels a row."""

from __future__ import annotations

from denominator.readers.logs.claims import ClaimBook
from denominator.readers.logs.frames import Piece
from denominator.readers.logs.hints import hints_of, words_of
from denominator.readers.logs.match import Matcher
from denominator.readers.logs.read import LogReader, read_log
from denominator.readers.logs.shape import Claims, Hit, LogEvent, LogRead, Signature
from denominator.readers.logs.signatures import BY_NAME, SIGNATURES

__all__ = [
    "BY_NAME",
    "SIGNATURES",
    "ClaimBook",
    "Claims",
    "Hit",
    "LogEvent",
    "LogRead",
    "LogReader",
    "Matcher",
    "Piece",
    "Signature",
    "hints_of",
    "read_log",
    "words_of",
]
