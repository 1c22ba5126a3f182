"""Gradings with the agent off, in another order each round, and how often a tree showed what it should not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.packs import frozen_tree
from denominator.packs.baseline import BASE, GOLD, wanted_grade
from denominator.packs.checking import flake_upper
from denominator.pipeline.pack_audit_bench import AuditBench, Laid
from denominator.ports import Graded
from denominator.records.pack_audits import TreeFlips
from denominator.records.words import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One grading: of which tree, in which round, what came of it."""

    task_id: str
    on: str
    round: int
    graded: Graded


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """All gradings with the agent off, and trees that were not the same afterwards."""

    seen: tuple[Seen, ...]
    changed: tuple[str, ...]
    rounds: int

    def of(self, task_id: str, on: str) -> list[Graded]:
        """The gradings of one tree, round by round."""
        return [one.graded for one in self.seen if (one.task_id, one.on) == (task_id, on)]

    def took_ms(self) -> dict[str, int]:
        """The longest grading of each task."""
        took: dict[str, int] = {}
        for one in self.seen:
            took[one.task_id] = max(took.get(one.task_id, 0), one.graded.ended.wall_ns // 1_000_000)
        return took


def grade_rounds(ab: AuditBench, rounds: int) -> Rounds:
    """Every tree once a round; each round goes through them in another order, the same one on every machine."""
    trees = [(laid, on, tree) for laid in ab.tasks for on, tree in ((BASE, laid.base), (GOLD, laid.gold)) if tree]
    before = _digests(ab)
    jobs = [
        _job(ab, number, laid, on, tree)
        for number in range(rounds)
        for laid, on, tree in sorted(trees, key=lambda one: _place(number, one[0].task.id, one[1]))
    ]
    seen = ab.pooled(jobs, "gradings")
    after = _digests(ab)
    changed = tuple(sorted(str(key) for key in before if before[key] != after[key]))
    return Rounds(seen=tuple(seen), changed=changed, rounds=rounds)


def _job(ab: AuditBench, number: int, laid: Laid, on: str, tree: Path) -> Callable[[int], Seen]:
    def grade(slot: int) -> Seen:
        return Seen(task_id=laid.task.id, on=on, round=number, graded=ab.graded(laid, tree, slot))

    return grade


def _place(number: int, task_id: str, on: str) -> str:
    return hashlib.sha256(f"{number}/{task_id}/{on}".encode()).hexdigest()


def _digests(ab: AuditBench) -> dict[str, str]:
    found = {}
    for laid in ab.tasks:
        for name, path in (("base", laid.base), ("gold", laid.gold), ("hidden", laid.hidden)):
            if path is not None:
                found[f"{laid.task.id} {name}"] = frozen_tree(path).digest
    return found


def flips(tasks: Sequence[Laid], rounds: Rounds) -> tuple[TreeFlips, ...]:
    """Per tree: results other than the wanted one, and the bound that so many gradings allow."""
    return tuple(_flips(laid, rounds, on) for laid in tasks for on in (BASE, GOLD) if rounds.of(laid.task.id, on))


def _flips(laid: Laid, rounds: Rounds, on: str) -> TreeFlips:
    grades = [one.grade for one in rounds.of(laid.task.id, on)]
    wanted = wanted_grade(laid.task, on)
    none = grades.count(Grade.NONE)
    green = grades.count(Grade.GREEN)
    other = green if wanted == Grade.RED else len(grades) - none - green
    rare = min(other, len(grades) - none - other)
    upper = flake_upper(rare, len(grades) - none)
    return TreeFlips(task_id=laid.task.id, on=on, gradings=len(grades), other=other, none=none, flake_rate_upper=upper)
