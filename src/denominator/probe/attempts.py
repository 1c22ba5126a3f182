"""Whose attempt is this: the key that pairs attempts, the group it is counted in, the order that all tables keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from denominator.errors import InputError, Problem
from denominator.records.probe_results import Heard
from denominator.records.probe_words import PRECEDENCE, REASONS, Cls, Group, Mode
from denominator.records.probes import Case, Fixture, Terms, Window

MEASURED = "measured"
Key = tuple[int, str, str, int]
"""Window, case, mode, attempt number."""


def key_of(heard: Heard) -> Key:
    """Which planned attempt that was."""
    return heard.window, heard.ask.case_id, heard.ask.mode, heard.ask.attempt


def group_of(case: Case) -> str:
    """Where a case is counted: a request that is wrong on purpose always with its like."""
    return Group.MALFORMED if case.control else case.group


def planned(fixture: Fixture, terms: Terms, windows: Iterable[Window]) -> Iterator[Key]:
    """Every measured attempt that these windows promise, in the order of the fixture."""
    for window in windows:
        for case in fixture.cases:
            for mode in case.modes:
                for attempt in range(1, terms.attempts + 1):
                    yield window.number, case.id, mode, attempt


def measured(
    fixture: Fixture, terms: Terms, windows: Sequence[Window], heard: Iterable[Heard]
) -> tuple[tuple[Heard, ...], Counter[int]]:
    """The measured attempts by window and place in the order, and how many warm-ups of each window no count holds.

    InputError names every attempt that nobody planned and every one that is there twice.
    """
    given = sorted(heard, key=lambda one: (one.window, one.ask.seq, key_of(one)))
    counted = tuple(one for one in given if one.ask.purpose == MEASURED)
    owed = set(planned(fixture, terms, windows))
    times = Counter(map(key_of, counted))
    problems = [Problem(told(key), "no such attempt was planned") for key in times if key not in owed]
    problems += [Problem(told(key), f"is there {number} times") for key, number in times.items() if number > 1]
    if problems:
        raise InputError("these attempts are not those that were planned", problems=sorted(problems, key=str))
    return counted, Counter(one.window for one in given if one.ask.purpose != MEASURED)


def told(key: Key) -> str:
    """A planned attempt in words."""
    window, case_id, mode, attempt = key
    return f"window {window}: {case_id} {mode} attempt {attempt}"


def group_place(group: str) -> tuple[int, str]:
    """Groups stand in the order of their list."""
    names = [str(one) for one in Group]
    return (names.index(group) if group in names else len(names)), group


def mode_place(mode: str) -> int:
    """Plain before streamed."""
    return [str(one) for one in Mode].index(mode)


def class_place(cls: str, reason: str) -> tuple[int, int, int, str]:
    """Passes first, then classes by precedence and reasons by their list."""
    reasons = REASONS.get(cls, ())
    place = PRECEDENCE.index(Cls(cls)) if cls in set(PRECEDENCE) else len(PRECEDENCE)
    return cls != Cls.PASS, place, (reasons.index(reason) if reason in reasons else len(reasons)), reason
