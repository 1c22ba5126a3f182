"""A slip as an in-toto Statement v1: the slip is the predicate, and what it pins by the digest of a file are its subjects."""

from __future__ import annotations

from pathlib import PurePosixPath

from denominator.exporters.intoto import slip_statement
from denominator.records.slips import SlipStanding


def statement_of(one: SlipStanding) -> bytes:
    """Canonical JSON and a newline; not signed. Subjects are the slip's file and its raw output; verdicts and sign-offs,
    which are appended to a slip, are not in it."""
    raw = one.slip.raw
    return slip_statement(one.slip, [(f"{one.id}.json", one.id), (PurePosixPath(raw.path).name, raw.sha256)])
