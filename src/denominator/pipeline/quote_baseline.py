"""Findings that were there before: fingerprints in a file, so that a check can be adopted without mending everything first."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from denominator.errors import InputError
from denominator.quote import Noted
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical
from denominator.wire.codec import check_version, loads

FIX = "make it with --write-baseline"


def fingerprint(one: Noted) -> str:
    """Of rule, file, number and sentence: lines may move, a changed sentence is new."""
    text = "\0".join((one.code, one.path, one.said.subject, one.said.what, one.said.context))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def written(noted: Iterable[Noted]) -> bytes:
    """The file of a baseline."""
    known = Counter(fingerprint(one) for one in noted)
    return canonical({"schema_version": 1, "known": dict(sorted(known.items()))}) + b"\n"


def read_baseline(path: Path) -> dict[str, int]:
    """How often each finding is known. Raises InputError."""
    document: Any = loads(read_bytes(path, fix=FIX), str(path))
    check_version(document, (1,), str(path))
    known = document.get("known") if isinstance(document, dict) else None
    if not isinstance(known, dict) or not all(type(count) is int and count > 0 for count in known.values()):
        raise InputError("is no baseline of quote check", where=str(path), fix=FIX)
    return dict(known)


def without_known(noted: Iterable[Noted], known: Counter[str]) -> list[Noted]:
    """The findings that are not in the baseline; each known one is used up once."""
    kept = []
    for one in noted:
        print_ = fingerprint(one)
        if known[print_] > 0:
            known[print_] -= 1
        else:
            kept.append(one)
    return kept
