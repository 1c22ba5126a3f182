"""The shipped agents against a pack's grader: each works in the agent's sandbox, what the allow-list permits is graded."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.packs.audit import Attack, Said
from denominator.packs.audit.corpus import FORGERY, READING
from denominator.pipeline.pack_audit_agents import work_on
from denominator.pipeline.pack_audit_bench import AuditBench, Laid, patient
from denominator.records.pack_audits import AttackLine, Fate
from denominator.records.values import counted
from denominator.records.words import Grade
from denominator.wire.trees import ApplyError

TRIVIAL = "trivial"
# What one process for tests and solution cannot stop.
MAY_WIN_AT_G2 = {FORGERY: Fate.FORGED, READING: Fate.READ}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bout:
    """One attack on one task: what became of it, and why."""

    attack: Attack
    task_id: str
    fate: Fate
    why: str = ""


def fight(ab: AuditBench, corpus: Path, attacks: Sequence[Attack], took_ms: Mapping[str, int]) -> list[Bout]:
    """Every attack on every task that has a point to win."""
    jobs = [_bout(ab, corpus, one, laid, took_ms) for laid in ab.tasks if laid.open for one in attacks]
    return ab.pooled(jobs, "bouts")


def _bout(
    ab: AuditBench, corpus: Path, attack: Attack, laid: Laid, took_ms: Mapping[str, int]
) -> Callable[[int], Bout]:
    def run(slot: int) -> Bout:
        place = ab.place("attack")
        try:
            problem, changed = work_on(ab, corpus, laid, laid.base, (attack.kind, attack.name), place, slot)
            if problem:
                return Bout(attack=attack, task_id=laid.task.id, fate=Fate.NOT_PLAYED, why=problem)
            if not changed:
                return Bout(attack=attack, task_id=laid.task.id, fate=Fate.STOPPED)
            graded = ab.graded(laid, place, slot, patient(took_ms, laid.task))
            fate = fate_of(attack, graded.grade, graded.level)
            return Bout(
                attack=attack, task_id=laid.task.id, fate=fate, why=f"{graded.level}: {graded.broken or graded.why}"
            )
        except ApplyError as error:
            return Bout(attack=attack, task_id=laid.task.id, fate=Fate.HELD, why=f"no patch comes of it: {error.what}")
        finally:
            shutil.rmtree(place, ignore_errors=True)

    return run


def fate_of(attack: Attack, grade: str, level: str) -> Fate:
    """What a grade means for an attack. Out of the denominator is as bad as a point."""
    if grade == Grade.GREEN:
        return MAY_WIN_AT_G2.get(attack.kind, Fate.WON) if level == "G2" else Fate.WON
    return Fate.EXCLUDED if grade == Grade.NONE else Fate.HELD


def twins(ab: AuditBench, corpus: Path, attacks: Sequence[Attack], took_ms: Mapping[str, int]) -> dict[str, str]:
    """Attack id -> "" when its honest twin on a right tree is green, else what it was. Each kind of grading has each twin."""
    groups: dict[tuple[str, str], list[tuple[Laid, Path]]] = {}
    for laid in ab.tasks:
        if laid.right is not None:
            groups.setdefault((laid.task.verify.runner, laid.task.verify.level), []).append((laid, laid.right))
    jobs = [
        _twin(ab, corpus, attack, *group[number % len(group)], took_ms)
        for group in groups.values()
        for number, attack in enumerate(attacks)
    ]
    told: dict[str, str] = {}
    for attack_id, why in ab.pooled(jobs, "twins"):
        told[attack_id] = told.get(attack_id) or why
    return told


def _twin(
    ab: AuditBench, corpus: Path, attack: Attack, laid: Laid, right: Path, took_ms: Mapping[str, int]
) -> Callable[[int], tuple[str, str]]:
    def run(slot: int) -> tuple[str, str]:
        place = ab.place("twin")
        try:
            problem, changed = work_on(ab, corpus, laid, right, (attack.kind, attack.twin), place, slot)
            if problem or not changed:
                return attack.id, problem
            graded = ab.graded(laid, place, slot, 2 * patient(took_ms, laid.task))
            said = (
                "" if graded.grade == Grade.GREEN else f"{laid.task.id}: {graded.grade}: {graded.broken or graded.why}"
            )
            return attack.id, said
        finally:
            shutil.rmtree(place, ignore_errors=True)

    return run


def attack_lines(bouts: Sequence[Bout], twin: Mapping[str, str]) -> tuple[AttackLine, ...]:
    """One line an attack, in the order of the corpus."""
    by_attack: dict[Attack, list[Bout]] = {}
    for bout in bouts:
        by_attack.setdefault(bout.attack, []).append(bout)
    return tuple(_line(attack, mine, twin) for attack, mine in by_attack.items())


def _line(attack: Attack, bouts: Sequence[Bout], twin: Mapping[str, str]) -> AttackLine:
    fates = Counter(bout.fate for bout in bouts)
    odd = [bout for bout in bouts if bout.fate not in (Fate.HELD, Fate.STOPPED)]
    return AttackLine(
        id=attack.id,
        kind=attack.kind,
        title=attack.title,
        tasks=len(bouts),
        held=fates[Fate.HELD],
        stopped=fates[Fate.STOPPED],
        forged=fates[Fate.FORGED],
        read=fates[Fate.READ],
        won=fates[Fate.WON],
        excluded=fates[Fate.EXCLUDED],
        not_played=fates[Fate.NOT_PLAYED],
        twin="not run" if attack.id not in twin else twin[attack.id] or "green",
        exceptions=tuple(f"{bout.task_id}: {bout.fate}: {bout.why}"[:300] for bout in odd),
    )


def lost_to(bouts: Sequence[Bout]) -> Said:
    """None may win, and none may leave the denominator; a report forged or tests read at G2 are named and are what G2 means."""
    if not bouts:
        return Said(nothing="no task has a point to win: every untouched tree is right")
    fates = Counter(bout.fate for bout in bouts)
    problems = [
        f"{b.attack.id} on {b.task_id}: {b.fate}: {b.why}" for b in bouts if b.fate in (Fate.WON, Fate.EXCLUDED)
    ]
    agents, tasks = len({b.attack for b in bouts}), len({b.task_id for b in bouts})
    said = f"{counted(agents, 'agent')} on {counted(tasks, 'task')}: {fates[Fate.HELD]} graded as no pass, "
    said += f"{fates[Fate.STOPPED]} changed nothing that counts, {fates[Fate.WON]} won, {fates[Fate.EXCLUDED]} left uncounted"
    if fates[Fate.FORGED]:
        said += f", {fates[Fate.FORGED]} forged a report at G2"
    if fates[Fate.READ]:
        said += f", {fates[Fate.READ]} read the tests at G2"
    unknown = tuple(f"{b.attack.id} on {b.task_id}: {b.why}" for b in bouts if b.fate == Fate.NOT_PLAYED)
    return Said(result=said, problems=tuple(problems), unknown=unknown)


def twins_green(told: Mapping[str, str]) -> Said:
    """Every honest twin was graded as what it is."""
    if not told:
        return Said(nothing="no tree of this pack is known to be right")
    problems = tuple(f"{name}: {why}" for name, why in told.items() if why)
    return Said(result=f"{len(told) - len(problems)} of {len(told)} honest twins green", problems=problems)
