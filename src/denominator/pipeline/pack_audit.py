"""`pack audit` in order: what is written, what is graded with the agent off, what attacks, what shows, what is noticed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from denominator._version import __version__
from denominator.errors import InputError
from denominator.packs import pack_digest, verify_lock
from denominator.packs.audit import (
    Said,
    audit_item,
    corpus_digest,
    declared_items,
    load_corpus,
    looked_at,
    not_applicable_items,
    pinned,
    summed_up,
)
from denominator.packs.lint import blocking, lint_pack
from denominator.pipeline import pack_audit_gradings as gradings
from denominator.pipeline.baseline_store import box_digest, terms_digest
from denominator.pipeline.baselines import Bench, grading_scratch, laid_trees
from denominator.pipeline.pack_audit_agents import lay_corpus
from denominator.pipeline.pack_audit_attacks import (
    TRIVIAL,
    attack_lines,
    fight,
    lost_to,
    twins,
    twins_green,
)
from denominator.pipeline.pack_audit_bench import AuditBench, laid_pack
from denominator.pipeline.pack_audit_images import OpenImage, images_searched
from denominator.pipeline.pack_audit_mutants import Tried, files_reached, mutants_killed, try_mutants
from denominator.pipeline.pack_audit_rounds import flips, grade_rounds
from denominator.pipeline.pack_audit_sight import residue, search
from denominator.records.boxes import Box
from denominator.records.pack_audits import AttackLine, Fate, PackAudit, TreeFlips
from denominator.records.packs import FoundPack
from denominator.records.values import counted

QUICK = "left out by --quick"
SKIPPED_BY_QUICK = ("exploit-agents", "honest-twins", "mutants-killed", "gold-files-reached")


@dataclass(slots=True, kw_only=True)
class _Found:
    """What the parts found, by check, with their details."""

    said: dict[str, Said]
    attacks: tuple[AttackLine, ...] = ()
    tried: Tried = field(default_factory=lambda: Tried(tasks=(), survivors=(), unknown=()))
    trees: tuple[TreeFlips, ...] = ()


def audit_pack(
    found: FoundPack,
    bench: Bench,
    *,
    box: Box,
    repeats: int,
    concurrency: int,
    quick: bool = False,
    images: Sequence[str] = (),
    open_image: OpenImage | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> PackAudit:
    """Run every check that a tool can decide alone. Writes nothing; refuses a pack whose files change meanwhile.

    `quick` leaves the attacks, their twins and the mutants out; trivial agents stay. `images` are pins of images
    to be searched beside those that tasks name, `open_image` asks an engine for one. Raises StoppedError when told to stop.
    """
    files = pack_digest(Path(found.root))
    taken_at = bench.clock.wall()
    got = _Found(said=_written(found, box, taken_at))
    with grading_scratch() as scratch:
        trees = [
            tree
            for number, task in enumerate(found.pack.tasks)
            for tree in laid_trees(found, task, scratch / str(number))
        ]
        ab = AuditBench(
            found=found,
            bench=bench,
            scratch=scratch,
            tasks=laid_pack(found, trees),
            concurrency=concurrency,
            say=say,
        )
        _checked(ab, got, repeats, quick)
        got.said["image-layers"] = images_searched(ab, images, open_image)
    if pack_digest(Path(found.root)) != files:
        raise InputError("files of the pack changed while it was audited", where=found.root, fix="do it again")
    items = (
        *(audit_item(name, said) for name, said in got.said.items()),
        *not_applicable_items(),
        *declared_items(found),
    )
    return PackAudit(
        pack_id=found.pack.id,
        pack_version=found.pack.version,
        pack_digest=files,
        quick=quick,
        repeats=repeats,
        concurrency=concurrency,
        taken_at=taken_at,
        made_by=f"denominator {__version__}",
        grader_sha=bench.grader.digest(),
        box_digest=box_digest(box),
        terms_digest=terms_digest(bench.terms),
        corpus_sha=corpus_digest(),
        items=items,
        attacks=got.attacks,
        mutants=got.tried.tasks,
        survivors=got.tried.survivors,
        trees=got.trees,
        notes=notes_on(found, got.attacks, len(got.tried.survivors)),
        **summed_up(items),
    )


def _written(found: FoundPack, box: Box, now: str) -> dict[str, Said]:
    """What reading alone decides."""
    findings = lint_pack(found, now)
    blocked, unknown = blocking(findings), [one for one in findings if one.severity == "unknown"]
    notes = sum(one.severity == "note" for one in findings)
    loose, told = pinned(found, box)
    return {
        "lint": Said(
            result=f"{counted(len(blocked), 'finding')} that block, {counted(notes, 'note')}",
            problems=tuple(f"{one.code} {one.allow_name}: {one.subject}: {one.what}" for one in blocked),
            unknown=tuple(f"{one.code}: {one.what}" for one in unknown),
        ),
        "lock": _lock(found),
        "pinned-tools": Said(result=told, problems=tuple(loose)),
        "looked-at": looked_at(found, now),
    }


def _lock(found: FoundPack) -> Said:
    if found.lock is None:
        return Said(problems=("the pack is not locked: denominator pack lock " + found.root,))
    problems = tuple(str(problem) for problem in verify_lock(found).problems)
    return Said(result=f"{len(found.lock.files)} files as locked", problems=problems)


def _checked(ab: AuditBench, got: _Found, repeats: int, quick: bool) -> None:
    """Everything that takes a sandbox."""
    ab.say(f"{len(ab.tasks)} tasks, agent off, {repeats} rounds")
    rounds = grade_rounds(ab, repeats)
    got.trees = flips(ab.tasks, rounds)
    got.said["gold-passes"] = gradings.gold_passes(ab.tasks, rounds)
    got.said["nothing-fails"] = gradings.nothing_fails(ab.tasks, rounds)
    got.said["must-fail-tests"] = gradings.must_fail_tests(ab.tasks, rounds)
    got.said["same-in-any-order"] = gradings.same_in_any_order(rounds)
    got.said["not-flaky"] = gradings.not_flaky(got.trees, repeats)
    ab.say("what an agent can see, and what a sandbox leaves behind")
    got.said["hidden-out-of-sight"], got.said["canaries-out-of-sight"] = search(ab)
    got.said["no-residue"] = residue(ab)
    _attacked(ab, got, rounds.took_ms(), quick)
    if not quick:
        ab.say("mutants of gold, and bombs in its files")
        got.tried = try_mutants(ab, rounds.took_ms())
        got.said["mutants-killed"] = mutants_killed(got.tried, ab.found.pack.audit)
        got.said["gold-files-reached"] = files_reached(got.tried)
    got.said |= {name: Said(not_run=QUICK) for name in SKIPPED_BY_QUICK if quick}


def _attacked(ab: AuditBench, got: _Found, took_ms: dict[str, int], quick: bool) -> None:
    corpus = lay_corpus(ab)
    attacks = load_corpus()
    played = [one for one in attacks if one.kind == TRIVIAL or not quick]
    ab.say(f"{len(played)} agents on every task that has a point to win")
    bouts = fight(ab, corpus, played, took_ms)
    told = {} if quick else twins(ab, corpus, attacks, took_ms)
    got.attacks = attack_lines(bouts, told)
    got.said["trivial-agents"] = lost_to([one for one in bouts if one.attack.kind == TRIVIAL])
    got.said["exploit-agents"] = lost_to([one for one in bouts if one.attack.kind != TRIVIAL])
    got.said["honest-twins"] = twins_green(told)


def notes_on(found: FoundPack, attacks: Sequence[AttackLine], survivors: int) -> tuple[str, ...]:
    """What a pass does not say."""
    notes = []
    forged = tasks_of(Fate.FORGED, attacks)
    if forged:
        notes.append(
            f"level G2 allows a targeted report forgery, and one wins here on {', '.join(forged)}: tests share the solution's "
            "process; at G3 they do not"
        )
    read = tasks_of(Fate.READ, attacks)
    if read:
        notes.append(
            f"level G2 allows a solution that reads the tests in the memory of its own process, and one wins here on "
            f"{', '.join(read)}: literal answers are found there; at G3 tests are in another sandbox"
        )
    levels = sorted({task.verify.level for task in found.pack.tasks} - {"G3"})
    if levels and not (forged or read):
        notes.append(
            f"some tasks are graded at {', '.join(levels)}: what is not in the corpus may forge a report or read the tests there"
        )
    if survivors:
        notes.append("mutants that lived may mean the same as gold: no tool can tell, so they count as not killed")
    return tuple(notes)


def tasks_of(fate: Fate, attacks: Sequence[AttackLine]) -> list[str]:
    """The tasks on which an attack came to this."""
    told = (one.split(":", 2) for line in attacks for one in line.exceptions)
    return sorted({parts[0] for parts in told if parts[1].strip() == fate})
