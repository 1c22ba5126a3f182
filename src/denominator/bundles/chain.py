"""The journal's chain, checked on the lines of its export: each event holds the digest of the one before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from denominator.wire.canonical import digest

FIRST = "0" * 64
"""What the first event of a run follows."""


def chain_breaks(lines: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Every break in words. A line is an event as it is stored, whose `sha` is of its canonical JSON with an empty `sha`."""
    before, expected = FIRST, 1
    for line in lines:
        seq, sha = line.get("seq"), line.get("sha")
        if not isinstance(seq, int) or not isinstance(sha, str):
            yield f"event {expected} has no number or no digest"
            return
        if seq > expected:
            yield f"events {expected} to {seq - 1} are missing"
        elif seq < expected:
            yield f"event {seq} stands behind event {expected - 1}"
        if line.get("prev_sha") != before:
            yield f"event {seq} does not follow the event before it"
        if digest(line | {"sha": ""}) != sha:
            yield f"event {seq} was changed after it was written"
        before, expected = sha, seq + 1
