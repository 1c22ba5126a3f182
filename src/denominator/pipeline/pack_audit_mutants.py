"""How much of gold do the hidden tests notice? Mutants of what gold adds, and bombs in the blocks of its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from denominator.packs import task_paths
from denominator.packs.audit import Bomb, Mutant, Said, bombs_of, mutants_of, sampled
from denominator.packs.lint.golds import Gold, read_gold
from denominator.pipeline.pack_audit_bench import AuditBench, Laid, patient
from denominator.records.pack_audits import MutantLine, TaskMutants
from denominator.records.packs import AuditTerms
from denominator.records.values import counted
from denominator.records.words import Grade

MUTANTS_MAX = 30
BOMBS_MAX = 40
DEFAULT_MIN = (4, 5)
"""What is asked of a pack that declares no share of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """All mutants and bombs of a pack: per task, and the mutants that lived."""

    tasks: tuple[TaskMutants, ...]
    survivors: tuple[MutantLine, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    laid: Laid
    gold: Path
    mutants: tuple[Mutant, ...]
    possible: int
    bombs: tuple[Bomb, ...]

    @property
    def changes(self) -> list[Mutant | Bomb]:
        """Everything that is graded once, mutants first."""
        return [*self.mutants, *self.bombs]


def try_mutants(ab: AuditBench, took_ms: Mapping[str, int]) -> Tried:
    """Grade each mutant and each bomb of every gold tree once. A grading without an end is a killed mutant."""
    plans = [_plan(ab, laid, laid.gold) for laid in ab.tasks if laid.gold is not None]
    jobs = [_job(ab, plan, one, took_ms) for plan in plans for one in plan.changes]
    grades = iter(ab.pooled(jobs, "mutants and bombs"))
    told: list[TaskMutants] = []
    lived: list[MutantLine] = []
    unknown: list[str] = []
    for plan in plans:
        fates = [(one, next(grades)) for one in plan.mutants]
        bombs = [(one, next(grades)) for one in plan.bombs]
        task_id = plan.laid.task.id
        lived += [_survivor(task_id, one) for one, grade in fates if grade == Grade.GREEN]
        lost = [f"{one.path}:{one.line}" for one, grade in fates if grade == Grade.NONE]
        lost += [f"{one.path}:{one.line}" for one, grade in bombs if grade == Grade.NONE]
        unknown += [f"{task_id}: {place} without a verdict" for place in lost]
        told.append(_task(plan, fates, bombs))
    return Tried(tasks=tuple(told), survivors=tuple(lived), unknown=tuple(unknown))


def _job(ab: AuditBench, plan: _Plan, one: Mutant | Bomb, took_ms: Mapping[str, int]) -> Callable[[int], str]:
    def grade(slot: int) -> str:
        wall = patient(took_ms, plan.laid.task)
        return ab.changed(plan.laid, plan.gold, one.path, one.source, slot, wall).grade

    return grade


def _plan(ab: AuditBench, laid: Laid, gold: Path) -> _Plan:
    paths = task_paths(ab.found, laid.task)
    read = read_gold(paths.gold.read_bytes(), paths.repo)
    mutants = [one for path, data in _python(read) for one in mutants_of(path, data, _added(paths.repo / path, data))]
    bombs = [one for path, data in _python(read) for one in bombs_of(path, data)]
    return _Plan(
        laid=laid,
        gold=gold,
        mutants=sampled(mutants, MUTANTS_MAX),
        possible=len(mutants),
        bombs=tuple(bombs[:: max(1, -(-len(bombs) // BOMBS_MAX))]),
    )


def _python(gold: Gold) -> list[tuple[str, bytes]]:
    return [(path, data) for path, data in gold.results if path.endswith(".py")]


def _added(old: Path, data: bytes) -> frozenset[int]:
    """The lines (1-based) that gold adds or changes."""
    before = old.read_bytes().splitlines() if old.is_file() else []
    after = data.splitlines()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return frozenset(
        line + 1 for tag, _, _, start, end in matcher.get_opcodes() if tag != "equal" for line in range(start, end)
    )


def _survivor(task_id: str, one: Mutant) -> MutantLine:
    return MutantLine(
        task_id=task_id,
        path=one.path,
        line=one.line,
        operator=one.operator,
        before=" ".join(one.before.split())[:120],
        after=" ".join(one.after.split())[:120],
    )


def _task(plan: _Plan, fates: Sequence[tuple[Mutant, str]], bombs: Sequence[tuple[Bomb, str]]) -> TaskMutants:
    against = (Grade.RED, Grade.TAMPERED)
    reached = [one for one, grade in bombs if grade in against]
    missed = [f"{one.path}:{one.line} {one.kind}" for one, grade in bombs if grade == Grade.GREEN]
    with_blocks = {one.path for one, _ in bombs}
    return TaskMutants(
        task_id=plan.laid.task.id,
        tried=len(fates),
        killed=sum(grade in against for _, grade in fates),
        possible=plan.possible,
        blocks=len(bombs),
        blocks_reached=len(reached),
        not_reached=tuple(missed),
        untouched=tuple(sorted(with_blocks - {one.path for one in reached})),
    )


def mutants_killed(tried: Tried, terms: AuditTerms) -> Said:
    """At least the declared share of the mutants is killed, over the pack."""
    total = sum(one.tried for one in tried.tasks)
    if not total:
        return Said(nothing="gold changes no Python code, and no other language is mutated")
    killed = sum(one.killed for one in tried.tasks)
    least, of = _least(terms)
    asked = f"at least {least} of {of} asked" + ("" if terms.mutants_min else " where a pack declares no mutants_min")
    short = killed * of < least * total
    lived = [
        f"{one.task_id}: {one.path}:{one.line} {one.operator}: {one.before} -> {one.after}" for one in tried.survivors
    ]
    said = f"{killed} of {counted(total, 'mutant')} killed in {counted(len(tried.tasks), 'task')} ({asked}); {len(lived)} lived"
    return Said(result=said, problems=tuple(lived) if short else (), unknown=tried.unknown)


def _least(terms: AuditTerms) -> tuple[int, int]:
    if len(terms.mutants_min) != 2 or not 0 <= terms.mutants_min[0] <= terms.mutants_min[1] or not terms.mutants_min[1]:
        return DEFAULT_MIN
    return terms.mutants_min[0], terms.mutants_min[1]


def files_reached(tried: Tried) -> Said:
    """No file with code that gold touches is left alone by the hidden tests."""
    blocks = sum(one.blocks for one in tried.tasks)
    if not blocks:
        return Said(nothing="gold touches no block of Python code")
    reached = sum(one.blocks_reached for one in tried.tasks)
    problems = tuple(
        f"{one.task_id}: no block of {path} is reached by a test" for one in tried.tasks for path in one.untouched
    )
    missed = sum(len(one.not_reached) for one in tried.tasks)
    return Said(
        result=f"{reached} of {counted(blocks, 'block')} reached, {missed} not",
        problems=problems,
        unknown=tried.unknown,
    )
