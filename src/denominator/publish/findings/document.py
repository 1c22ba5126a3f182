"""Findings as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from denominator.publish.findings.shape import ORDER, About, ordered
from denominator.records.findings import Finding
from denominator.wire.codec import to_json


def write_json(findings: Iterable[Finding], about: About) -> str:
    """The findings in order, how many of each severity, and what they are about; canonical."""
    given = ordered(findings)
    document = {
        "schema_version": 1,
        "verb": about.verb,
        "subject": about.subject,
        "status": about.status,
        "said": about.said,
        "exit": about.exit,
        **dict(about.named()),
        "counts": {name: sum(one.severity == name for one in given) for name in ORDER},
        "findings": [to_json(one) for one in given],
    }
    return as_json(document)


def as_json(document: Any) -> str:
    """One line, keys sorted. What cannot be printed (half of a surrogate pair too) is escaped, so that any console shows it."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text) + "\n"
