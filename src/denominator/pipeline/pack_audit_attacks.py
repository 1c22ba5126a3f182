"""The shipped agents against a pack's grader: each works in the agent's sandbox, what the allow-list permits is graded."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.packs.audit import Attack, Said, corpus_files
from denominator.packs.audit.corpus import FORGERY
from denominator.pipeline.agent_phase import copy_into
from denominator.pipeline.baselines import grading_limits
from denominator.pipeline.launch import ENV
from denominator.pipeline.notes import StoppedError
from denominator.pipeline.pack_audit_bench import AuditBench, Laid, patient
from denominator.ports import Job, Limits, Mount
from denominator.records.pack_audits import AttackLine, Fate
from denominator.records.values import counted
from denominator.records.words import Grade, KilledBy
from denominator.run.paths import is_forbidden, is_outside, kept
from denominator.wire.trees import ApplyError, apply_patch, diff_trees, read_tree

AGENT_S = 20.0
TRIVIAL = "trivial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bout:
    """One attack on one task: what became of it, and why."""

    attack: Attack
    task_id: str
    fate: Fate
    why: str = ""


def lay_corpus(ab: AuditBench) -> Path:
    """The corpus as plain readable files, to be shown to sandboxes."""
    folder = ab.scratch / "corpus"
    for path, data in corpus_files().items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        place.chmod(0o644)
    for place in (folder, *(one for one in folder.rglob("*") if one.is_dir())):
        place.chmod(0o755)
    return folder


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
            fate = _fate(attack, graded.grade, graded.level)
            return Bout(
                attack=attack, task_id=laid.task.id, fate=fate, why=f"{graded.level}: {graded.broken or graded.why}"
            )
        except ApplyError as error:
            return Bout(attack=attack, task_id=laid.task.id, fate=Fate.HELD, why=f"no patch comes of it: {error.what}")
        finally:
            shutil.rmtree(place, ignore_errors=True)

    return run


def _fate(attack: Attack, grade: str, level: str) -> Fate:
    if grade == Grade.GREEN:
        return Fate.FORGED if attack.kind == FORGERY and level == "G2" else Fate.WON
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


def work_on(
    ab: AuditBench, corpus: Path, laid: Laid, tree: Path, agent: tuple[str, str], place: Path, slot: int
) -> tuple[str, bool]:
    """Let an agent work on a copy of `tree`, and apply what counts at `place`. (What went wrong, did anything change?)

    Goes the product's own way: a sized workspace, the agent's role, trees compared out here, links and devices refused.
    """
    limits = agent_limits_of(ab)
    sandbox = ab.bench.sandbox
    work = sandbox.workspace(ab.place("work"), role="agent", slot=slot, disk_bytes=limits.disk_bytes)
    try:
        copy_into(tree, work)
        sandbox.hand_over(work, role="agent", slot=slot)
        job = Job(
            argv=(ab.bench.terms.python, "-I", "-B", "/corpus/drive.py", *agent),
            role="agent",
            slot=slot,
            limits=limits,
            workdir=work,
            mounts=(Mount(host=corpus, inside="/corpus"),),
            env=ENV,
            stdin=json.dumps(_facts(laid, tree)).encode(),
        )
        ended = sandbox.run(job, ab.bench.stop)
        if ended.killed_by == KilledBy.HARNESS_STOP:
            raise StoppedError
        if ended.start_error or ended.exit_code:
            why = ended.start_error or ended.stderr.decode("utf-8", "replace")[-300:]
            return f"the agent did not come to its end: {why}", False
        work.chmod(0o755)
        base = read_tree(tree, trusted=True)
        patch, blobs = diff_trees(base, work, read_tree(work))
    finally:
        sandbox.discard(work)
    after = apply_patch(tree, patch, blobs.__getitem__, place, lambda change: kept(laid.task, change))
    return "", after.digest != base.digest


def _facts(laid: Laid, tree: Path) -> dict[str, object]:
    """What an agent knows of a task: Python files that count, folders in which they lie."""
    paths = [entry.path for entry in read_tree(tree, trusted=True).entries if entry.kind == "file"]
    mine = [path for path in paths if not is_outside(laid.task, path) and not is_forbidden(laid.task, path)]
    folders = {path.rpartition("/")[0] for path in mine} | {""}
    targets = [path for path in mine if path.endswith(".py")]
    return {"targets": targets, "folders": sorted(folders), "runner": laid.task.verify.runner}


def agent_limits_of(ab: AuditBench) -> Limits:
    """What an agent of the audit may use."""
    given = grading_limits(ab.bench.terms, ab.tasks[0].task)
    return Limits(
        wall_s=AGENT_S,
        memory_bytes=given.memory_bytes,
        processes=given.processes,
        disk_bytes=given.disk_bytes,
        file_bytes=given.file_bytes,
        open_files=given.open_files,
        output_bytes=given.output_bytes,
    )


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
        won=fates[Fate.WON],
        excluded=fates[Fate.EXCLUDED],
        not_played=fates[Fate.NOT_PLAYED],
        twin="not run" if attack.id not in twin else twin[attack.id] or "green",
        exceptions=tuple(f"{bout.task_id}: {bout.fate}: {bout.why}"[:300] for bout in odd),
    )


def lost_to(bouts: Sequence[Bout]) -> Said:
    """None may win, and none may leave the denominator; a report forged at G2 is named and is what G2 means."""
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
    unknown = tuple(f"{b.attack.id} on {b.task_id}: {b.why}" for b in bouts if b.fate == Fate.NOT_PLAYED)
    return Said(result=said, problems=tuple(problems), unknown=unknown)


def twins_green(told: Mapping[str, str]) -> Said:
    """Every honest twin was graded as what it is."""
    if not told:
        return Said(nothing="no tree of this pack is known to be right")
    problems = tuple(f"{name}: {why}" for name, why in told.items() if why)
    return Said(result=f"{len(told) - len(problems)} of {len(told)} honest twins green", problems=problems)
