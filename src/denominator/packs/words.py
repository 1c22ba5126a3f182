"""Which words the fields of a task may hold."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from denominator.errors import Problem
from denominator.records.packs import Task
from denominator.records.words import Control, GradingLevel, Slice

EXPECTED = ("pass", "fail", "abstain", "fail_or_abstain", "stay_green")
SOURCES = ("folder", "git")
TASK_CONTROLS = tuple(
    control.value
    for control in Control
    if control not in (Control.EMPTY_PATCH_MUST_FAIL, Control.GOLD_MUST_PASS, Control.NARRATION)
)
LEVELS = tuple(level.value for level in GradingLevel if level is not GradingLevel.G0)


def task_word_problems(task: Task) -> list[Problem]:
    """Words outside the closed vocabularies, each with the nearest valid one."""
    return [
        *_check("slice", task.slice, [word.value for word in Slice]),
        *_check("expected", task.expected, EXPECTED),
        *_check("control", task.control, ("", *TASK_CONTROLS)),
        *_check("source.kind", task.source.kind, SOURCES),
        *_check("verify.level", task.verify.level, LEVELS),
        *([] if task.verify.timeout_s > 0 else [Problem("verify.timeout_s", "must be more than 0 seconds")]),
    ]


def _check(field: str, value: str, allowed: Iterable[str]) -> list[Problem]:
    words = list(allowed)
    if value in words:
        return []
    near = get_close_matches(value, [word for word in words if word], n=1)
    hint = f'did you mean "{near[0]}"?' if near else "one of: " + ", ".join(word for word in words if word)
    return [Problem(field, f'"{value}" is not a known word', hint)]
