"""A judged draw, or a rule, as reports of tests know it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test case of a JUnit report that is no rule: `state` is passed, failure, error or skipped."""

    group: str
    name: str
    state: str
    kind: str = ""
    text: str = ""
    place: str = ""
    seconds: str = ""
