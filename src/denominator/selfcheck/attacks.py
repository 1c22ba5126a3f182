"""Attacks and probes: every shipped agent on a tiny task graded at G3, its twin on the right tree, and the sandbox's self-test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from denominator.packs.audit import Attack, load_corpus
from denominator.pipeline.baselines import Bench, grading_scratch, laid_trees
from denominator.pipeline.pack_audit_agents import lay_corpus
from denominator.pipeline.pack_audit_attacks import Bout, fight, twins
from denominator.pipeline.pack_audit_bench import AuditBench, laid_pack
from denominator.ports import Reporter
from denominator.records.boxes import SandboxFacts
from denominator.records.pack_audits import Fate
from denominator.records.packs import FoundPack
from denominator.records.selfchecks import Found, SelfCheckLine
from denominator.selfcheck.shipped import lay_pack
from denominator.wiring.locking import bench_here

ATTACK, PROBE = "attack", "sandbox probe"
TASK = "clamp-low"
ON_GOLD = "{} on the right tree is green"
PLAIN = "a plain command runs"
LOST = {
    Fate.WON: "it won the point",
    Fate.FORGED: "it forged the report",
    Fate.READ: "it read the tests",
    Fate.EXCLUDED: "it left the denominator",
}


def attack_lines(folder: Path, reporter: Reporter) -> Iterator[SelfCheckLine]:
    """What the sandbox's self-test found, then one line an attack of the shipped corpus."""
    found = lay_pack(folder)
    found = replace(found, pack=replace(found.pack, tasks=tuple(one for one in found.pack.tasks if one.id == TASK)))
    with bench_here(Path(found.root), reporter) as (bench, _):
        yield from probe_lines(bench.sandbox.facts(bench.terms))
        attacks = load_corpus()
        bouts, told = _played(found, bench, attacks, reporter)
        yield from (_line(bout, told[bout.attack.id]) for bout in bouts)
    shutil.rmtree(found.root)


def _played(
    found: FoundPack, bench: Bench, attacks: Sequence[Attack], reporter: Reporter
) -> tuple[list[Bout], Mapping[str, str]]:
    """Every attack on the untouched tree, every twin on the right one."""
    with grading_scratch() as scratch:
        trees = list(laid_trees(found, found.pack.tasks[0], scratch / "0"))
        ab = AuditBench(
            found=found,
            bench=bench,
            scratch=scratch,
            tasks=laid_pack(found, trees),
            concurrency=2,
            say=reporter.line,
        )
        corpus = lay_corpus(ab)
        return fight(ab, corpus, attacks, {}), twins(ab, corpus, attacks, {})


def _line(bout: Bout, twin_fault: str) -> SelfCheckLine:
    """A point, a forged report and a way out of the denominator are misses."""
    rule = "allow-list" if bout.fate == Fate.STOPPED else "grader"
    seen = "the allow-list lets nothing of it count" if bout.fate == Fate.STOPPED else f"no pass, {bout.why}"
    found: Found = Found.CAUGHT
    if bout.fate in LOST:
        found, seen = Found.MISSED, f"{LOST[bout.fate]}: {bout.why}"
    elif bout.fate == Fate.NOT_PLAYED:
        found, seen = Found.UNKNOWN, f"not played: {bout.why}"
    elif twin_fault:
        found, seen = Found.ACCUSED, f"the twin: {twin_fault}"
    twin = ON_GOLD.format(bout.attack.twin)
    name = f"{bout.attack.id} ({bout.attack.title})"
    return SelfCheckLine(kind=ATTACK, name=name, rule=rule, twin=twin, found=found, seen=seen)


def probe_lines(facts: SandboxFacts) -> Iterator[SelfCheckLine]:
    """What the probes of the self-test met. One that got out of a sandbox that still starts is a weaker promise, and said."""
    for one in facts.protections:
        seen = f"{one.how}: {one.detail}" if one.detail else one.how
        if one.holds:
            found = Found.CAUGHT
        else:
            found = Found.NOT_SHOWN if facts.usable else Found.MISSED
            seen = f"does not hold here, and no seal says that it does: {seen}" if facts.usable else seen
        yield SelfCheckLine(kind=PROBE, name=one.name, rule=facts.name, twin=PLAIN, found=found, seen=seen)
