"""What gradings of one stored patch say beside the grade that was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from denominator.records.packs import BaselineRun
from denominator.records.regrades import AGREE, COULD_NOT, DIFFER, NEVER_GRADED, Regrade
from denominator.records.rows import AttemptRow, TestIds
from denominator.records.seals import SealedTask
from denominator.records.values import NotMeasured
from denominator.records.words import Grade

NOT_NOW = NotMeasured("not graded again")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One row to grade again: its place in the ledger, and its task as sealed."""

    index: int
    row: AttemptRow
    sealed: SealedTask


def compared(asked: Asked, runs: Sequence[BaselineRun]) -> Regrade:
    """One verdict of all gradings of one patch."""
    seen = tuple(str(one.grade) for one in runs)
    last, recorded = runs[-1], asked.row.grade
    if seen[0] == recorded:
        base = _row(asked, AGREE, seen[0], _other_tests(asked.row, runs[0]))
    elif len({*seen}) > 1:
        base = could_not(
            asked, f"the same patch is graded {', '.join(seen)} one time after another: its grade is no fact"
        )
    elif last.grade == Grade.NONE:
        base = could_not(asked, f"its grading comes to no verdict here: {last.detail[:200]}")
    else:
        why = "no verdict was recorded, and there is one now" if recorded == Grade.NONE else last.detail[:200]
        base = differs(asked, last.grade, why)
    return replace(base, seen=seen)


def _other_tests(row: AttemptRow, run: BaselineRun) -> str:
    """A grade that is the same for other reasons is said so."""
    if not isinstance(row.tests, TestIds):
        return ""
    pairs = (("passed", row.tests.passed, run.passed), ("failed", row.tests.failed, run.failed))
    other = [f"{word} {name}" for word, was, now in pairs for name in sorted({*was} ^ {*now})]
    more = f" and {len(other) - 3} more" if len(other) > 3 else ""
    return f"the same grade with other tests: {', '.join(other[:3])}{more}" if other else ""


def differs(asked: Asked, now: str | NotMeasured, why: str) -> Regrade:
    """A row whose grade is not the recorded one."""
    return _row(asked, DIFFER, now, why)


def could_not(asked: Asked, why: str) -> Regrade:
    """A row that says nothing, and why."""
    return _row(asked, COULD_NOT, NOT_NOW, why)


def graded(asked: Asked) -> bool:
    """Was a grading of it recorded?"""
    return isinstance(asked.row.report_sha, str)


def never_graded(asked: Asked, now: Regrade) -> Regrade:
    """A row without a recorded grading: nothing to compare, but where its patch is stored, what that gets now is said."""
    why = f"no grading was recorded ({asked.row.stop_reason})"
    if isinstance(now.now, str):
        why += f"; its stored patch is graded {now.now} now"
    elif now.seen:
        why += f"; its stored patch is graded {', '.join(now.seen)} now"
    return replace(now, state=NEVER_GRADED, why=why)


def _row(asked: Asked, state: str, now: str | NotMeasured, why: str) -> Regrade:
    key = asked.row.key
    return Regrade(
        index=asked.index,
        task_id=key.task_id,
        repeat=key.repeat,
        attempt=key.attempt,
        state=state,
        recorded=asked.row.grade,
        now=now,
        why=why,
    )
