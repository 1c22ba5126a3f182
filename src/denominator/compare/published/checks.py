"""Everything that a published.toml lacks or says against itself, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from denominator.errors import Problem
from denominator.records.envelopes import EMPTY
from denominator.records.published import Published
from denominator.records.values import is_placeholder


def without_placeholders(one: Any) -> Any:
    """The record with every placeholder as the missing value that it stands for."""
    changes: dict[str, Any] = {}
    for each in fields(one):
        value = getattr(one, each.name)
        if is_dataclass(value) and not isinstance(value, type) and fields(value) and not _unknown(value):
            changes[each.name] = without_placeholders(value)
        elif isinstance(value, str) and is_placeholder(value) and each.name != "date":
            changes[each.name] = EMPTY
        elif isinstance(value, tuple):
            changes[each.name] = tuple(item for item in value if not is_placeholder(item))
    return replace(one, **changes)


def _unknown(value: object) -> bool:
    return hasattr(value, "not_measured")


def problems_of(one: Published) -> list[Problem]:
    """What forbids using it; a field that is merely unknown is not among them."""
    return [*_score(one), *_ids(one)]


def _score(one: Published) -> Iterator[Problem]:
    score = one.score
    known = (
        isinstance(score.passed, int)
        or isinstance(score.percent, str)
        or bool(one.outcomes.passed or one.outcomes.failed)
    )
    if not known:
        yield Problem("score", "states no count and no percent", "passed and tasks, or percent and tasks")
    for name in ("passed", "tasks"):
        value = getattr(score, name)
        if isinstance(value, int) and value < 0:
            yield Problem(f"score.{name}", "is negative")
    if isinstance(score.passed, int) and isinstance(score.tasks, int) and score.passed > score.tasks:
        yield Problem("score.passed", f"{score.passed} of {score.tasks} cannot be")
    if isinstance(score.tasks, int) and score.tasks == 0:
        yield Problem("score.tasks", "no task is no score")
    if isinstance(score.percent, str) and not _is_percent(score.percent):
        yield Problem("score.percent", "is no percentage between 0 and 100")


def _is_percent(text: str) -> bool:
    whole, _, rest = text.partition(".")
    return (
        whole.isascii()
        and whole.isdecimal()
        and len(text) < 20
        and int(whole) <= 100
        and not (int(whole) == 100 and rest.strip("0"))
    )


def _ids(one: Published) -> Iterator[Problem]:
    listed = one.pack.task_ids
    for name, ids in (("pack.task_ids", listed), ("outcomes", (*one.outcomes.passed, *one.outcomes.failed))):
        twice = sorted(task for task, times in Counter(ids).items() if times > 1)
        if twice:
            yield Problem(name, f"named more than once: {', '.join(twice[:20])}")
        if ids and isinstance(one.score.tasks, int) and len(set(ids)) != one.score.tasks:
            yield Problem(name, f"{len(set(ids))} ids are listed, score.tasks says {one.score.tasks}")
    told = {*one.outcomes.passed, *one.outcomes.failed}
    if listed and told and (odd := sorted(told ^ set(listed))):
        yield Problem("outcomes", f"not the tasks of pack.task_ids: {', '.join(odd[:20])}")
    passed = len(one.outcomes.passed)
    if told and isinstance(one.score.passed, int) and passed != one.score.passed:
        yield Problem("score.passed", f"says {one.score.passed}, {passed} tasks passed in outcomes")
