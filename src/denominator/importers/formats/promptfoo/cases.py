"""Cases of an evaluation: which rows are of one, and what is asserted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from denominator.importers.foreign import digest

AT_RUN_TIME = ("sessionId",)
MODELS = frozenset(
    (
        *("agent-rubric", "answer-relevance", "context-faithfulness", "context-recall", "context-relevance"),
        *("conversation-relevance", "factuality", "llm-rubric", "search-rubric", "trajectory:goal-success"),
        *("classifier", "g-eval", "moderation", "select-best", "max-score", "similar", "pi"),
    )
)
"""Types of assertions that ask a model or a provider for the verdict."""


class Place(NamedTuple):
    """The task of a row, and which of its repeats the row is."""

    task: str
    repeat: int


class Cases:
    """Which task and repeat each `testIdx` is, over all columns."""

    def __init__(self, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
        shas: dict[int, str] = {}
        for _, row in rows:
            shas.setdefault(row["testIdx"], digest(_content(row)))
        alike: dict[str, list[int]] = {}
        for index in sorted(shas):
            alike.setdefault(shas[index], []).append(index)
        self._places = {
            index: Place(f"test-{same[0]}", repeat)
            for same in alike.values()
            for repeat, index in enumerate(same, start=1)
        }

    def place(self, row: Mapping[str, Any]) -> Place:
        """Where a row belongs."""
        return self._places[row["testIdx"]]


def _content(row: Mapping[str, Any]) -> object:
    """What makes a test the same test: variables and assertions; what was added while it ran is no part of it."""
    test = case_of(row)
    given = test.get("vars", row.get("vars"))
    if isinstance(given, dict):
        given = {name: value for name, value in given.items() if not name.startswith("_") and name not in AT_RUN_TIME}
    return [given, test.get("assert"), test.get("threshold"), test.get("description")]


def case_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The test case of a row."""
    found = row.get("testCase")
    return found if isinstance(found, dict) else {}


def assertion_types(row: Mapping[str, Any]) -> Iterator[str]:
    """Types of the assertions of a row, those inside of sets too."""
    work = [case_of(row).get("assert"), _components(row)]
    while work:
        one = work.pop()
        if isinstance(one, list):
            work.extend(one)
        elif isinstance(one, dict):
            if isinstance(one.get("type"), str):
                yield one["type"].removeprefix("not-")
            work.extend(one[key] for key in ("assert", "assertion") if isinstance(one.get(key), dict | list))


def _components(row: Mapping[str, Any]) -> object:
    graded = row.get("gradingResult")
    return graded.get("componentResults") if isinstance(graded, dict) else None


def has_assertions(row: Mapping[str, Any]) -> bool:
    """Was anything asserted? A row that was stripped of its test case is believed."""
    if not isinstance(row.get("testCase"), dict):
        return True
    return bool(case_of(row).get("assert")) or bool(_components(row))


def asks_a_model(kind: str) -> bool:
    """Does an assertion of this type ask a model for the verdict?"""
    return kind in MODELS or kind.startswith(("similar:", "model-graded", "promptfoo:")) or "rubric" in kind
