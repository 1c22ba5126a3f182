"""What a fixture may be and still is worth a word: warnings, each with the case it is about."""

from __future__ import annotations

from collections.abc import Iterator

from denominator.errors import Problem
from denominator.probe.asking import request_body
from denominator.records.probe_words import Group, Kind
from denominator.records.probes import Case, Fixture
from denominator.records.values import counted
from denominator.wire.canonical import canonical

TEAM_CASES = 20
"""Fewer cases carry no decision of a team (METHODS M7)."""
JSON_ROOM, CALL_ROOM, TEXT_ROOM = 64, 48, 16
"""The least caps: for an object of a few keys, a call, and beside the text itself."""


def lint(fixture: Fixture) -> tuple[Problem, ...]:
    """Warnings, those of the whole fixture first, then case by case."""
    return (*_whole(fixture), *(warning for case in fixture.cases for warning in _case(case)), *_same(fixture))


def _whole(fixture: Fixture) -> Iterator[Problem]:
    cases = fixture.cases
    if len(cases) < TEAM_CASES:
        what = f"{counted(len(cases), 'case')}: fewer than {TEAM_CASES} carry no decision of a team"
        yield Problem(fixture.name, what, "add cases of your own use")
    there = {one.group for one in cases}
    for group in Group:
        if group not in there:
            control = "no malformed control: the error contract stays untested"
            what = control if group == Group.MALFORMED else f"no case of group {group}: it stays untested"
            yield Problem(fixture.name, what)
    if not any(one.mode == "both" for one in cases):
        yield Problem(fixture.name, "no case of mode both: usage is not compared between plain and streamed answers")


def _case(case: Case) -> Iterator[Problem]:
    room = _room(case)
    if case.max_tokens < room:
        what = f"max_tokens {case.max_tokens} leaves little room for what is expected (about {room})"
        yield Problem(case.id, what, "a cut answer keeps no promise of form")
    if case.kind == Kind.TEXT and str(case.expect["text"]) not in f"{case.system}\n{case.prompt}":
        yield Problem(case.id, "the exact text is not in the prompt", "say which text is wanted")


def _room(case: Case) -> int:
    """About how many tokens an answer needs: two bytes a token, and some more."""
    if case.kind == Kind.JSON and "value" in case.expect:
        return len(canonical(case.expect["value"])) // 2 + JSON_ROOM // 2
    if case.kind == Kind.TEXT:
        return len(str(case.expect["text"]).encode()) // 2 + TEXT_ROOM
    return {Kind.JSON: JSON_ROOM, Kind.CALL: CALL_ROOM}.get(Kind(case.kind), 0)


def _same(fixture: Fixture) -> Iterator[Problem]:
    """Two cases that send the same bytes in the same mode and judge them alike are one question counted twice."""
    first: dict[tuple[object, ...], str] = {}
    for one in fixture.cases:
        key = (request_body(one, one.modes[0], "m"), one.mode, one.kind, canonical(one.expect))
        other = first.setdefault(key, one.id)
        if other != one.id:
            yield Problem(one.id, f"asks what {other} asks", "one of them is enough")
