"""`verify --regrade` and `verify --sample`: the bundle first, then what was asked of it beside that."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.errors import InputError
from denominator.packs import builtin_packs
from denominator.pipeline.baselines import DEFAULT_TERMS, Bench
from denominator.pipeline.bundle_sampling import Question, answered, blob_reader, sample_of
from denominator.pipeline.import_sources import Importers
from denominator.pipeline.regrade_verdicts import Asked
from denominator.pipeline.regrading import Shelf, exit_of, regrade
from denominator.pipeline.replaying import BOX_FIELDS
from denominator.pipeline.verifying import NOBODY, Seen, examine
from denominator.ports import Signer
from denominator.records.boxes import Box
from denominator.records.bundles import BundleHead, Checked, Known
from denominator.records.envelopes import SandboxTerms
from denominator.records.regrades import DIFFER, NOT_REGRADED, NOT_SAMPLED, Regrade, Regraded, Sample, Verified
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.run.budgets import grader_limits
from denominator.wire.bounded import read_bytes
from denominator.wire.codec import from_json, loads

HEAD_BYTES = 1 << 28
HEAD_ONLY = NotMeasured("only bundle.json was given: that a number follows from its rows was not checked")
FAULTY = NotMeasured("the bundle has faults")
NOT_PROVED = NotMeasured("the opening has faults: none of its rows is believed")
NO_PACK = NotMeasured(
    "the pack is not here: name it with --pack, or ask for rows with --sample and let the issuer open them"
)
HIDDEN = NotMeasured("withheld: a control is violated")
OWN_TERMS = "graded under this program's own limits: seal.json is not here"

BenchOf = Callable[[SandboxTerms], AbstractContextManager[tuple[Bench | NotMeasured, Box | None]]]
"""The machine to grade on under these terms, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked beside the check itself. `bench` is given where patches are to be graded again; with `trust_rules` the
    rules of a house that are installed here are run, with `importers` the originals of an import are read again."""

    question: Question | None = None
    bench: BenchOf | None = None
    pack: Path | None = None
    trust_rules: bool = False
    importers: Importers | None = None


NOTHING = Wanted()


def verify_asked(
    root: Path, wanted: Wanted, known: Known = NOBODY, signer: Signer | None = None, allowed: Path | None = None
) -> Verified:
    """Check a bundle, then name rows, hold openings against its roots, grade again. `root` may be a bundle.json alone.

    Exit 0: all that was asked holds. 1: a fault, a false proof, another grade. 2: not all that was asked could be compared.
    """
    checked, head, seen = _bundle(root, wanted, known, signer, allowed)
    sample: Sample | NotMeasured = NOT_SAMPLED
    if head is None:
        assert isinstance(checked, Checked)
        sample = FAULTY if wanted.question else NOT_SAMPLED
        return Verified(
            checked=checked, sample=sample, regraded=FAULTY if wanted.bench else NOT_REGRADED, exit=checked.exit
        )
    rows = [*_rows_of(seen)] if seen else []
    if wanted.question is not None:
        sample = sample_of(head, seen.again.ledger.rows if seen else None, wanted.question)
        named = {one.index for one in sample.rows}
        rows = [one for one in rows if one.index in named]
        if wanted.question.opened is not None:
            sample, proved = answered(sample, head, wanted.question.opened)
            rows = [*proved]
    regraded: Regraded | NotMeasured = NOT_REGRADED
    if wanted.bench is not None:
        broken = isinstance(sample, Sample) and sample.faults
        regraded = NOT_PROVED if broken else _regraded(root, wanted, wanted.bench, head, seen, rows)
    return Verified(checked=checked, sample=sample, regraded=regraded, exit=_exit(sample, regraded))


def _exit(sample: Sample | NotMeasured, regraded: Regraded | NotMeasured) -> int:
    """What is false comes before what is missing."""
    codes = {exit_of(regraded)} if isinstance(regraded, Regraded) else set()
    if isinstance(sample, Sample) and sample.opened:
        codes |= {1} if sample.faults else {2} if sample.not_opened else set()
    return 1 if 1 in codes else max(codes, default=0)


def _bundle(
    root: Path, wanted: Wanted, known: Known, signer: Signer | None, allowed: Path | None
) -> tuple[Checked | NotMeasured, BundleHead | None, Seen | None]:
    if not root.is_file() or root.suffix != ".json":
        checked, seen = examine(
            root, known, signer, allowed, trust_rules=wanted.trust_rules, importers=wanted.importers
        )
        if seen is None and not checked.exit and (wanted.question or wanted.bench):
            what = "has no rows of a run and no patches: it is a bundle of a scoring contract, or of another harness's results"
            raise InputError(what, where=str(root), fix=f"denominator verify {root}")
        return checked, seen.head if seen else None, seen
    if known.slip or known.sums or allowed is not None:
        what = "a slip, sums or signers decide nothing of a bundle.json alone"
        raise InputError(what, where=str(root), fix="name the folder of the bundle")
    question = wanted.question
    if question is None or (wanted.bench is not None and question.opened is None):
        fix = "name the folder of the bundle, or ask for rows: --sample K --nonce NONCE, then --opened DIR"
        raise InputError("a bundle.json alone holds no row", where=str(root), fix=fix)
    head: BundleHead = from_json(BundleHead, loads(read_bytes(root, HEAD_BYTES), str(root)), str(root))
    return HEAD_ONLY, head, None


def _rows_of(seen: Seen) -> Iterator[Asked]:
    sealed = {one.task.id: one for one in seen.evidence.seal.tasks}
    for index, row in enumerate(seen.again.ledger.rows):
        yield Asked(index=index, row=row, sealed=sealed[row.key.task_id])


def _regraded(
    root: Path, wanted: Wanted, bench_of: BenchOf, head: BundleHead, seen: Seen | None, rows: list[Asked]
) -> Regraded:
    seal = seen.evidence.seal if seen else None
    opened = wanted.question.opened if wanted.question else None
    left_out = {one.sha256: one.left_out for one in head.artifacts if one.left_out}
    with bench_of(seal.envelope.sandbox if seal else DEFAULT_TERMS) as (bench, box):
        shelf = Shelf(
            material=_material(wanted.pack or opened, seal),
            bench=bench,
            blob=blob_reader(opened or root, {} if opened else left_out),
            baseline=seen.evidence.baseline if seen else None,
            grader_sha=seal.grader_sha if seal else "",
            limits=(lambda task: grader_limits(seal.envelope, task)) if seal else None,
            concurrency=_concurrency(seal),
        )
        done = regrade(rows, shelf, [*_notes(seal, box)])
    return _covered(done) if seen and seen.again.judged.split_hidden else done


def _covered(done: Regraded) -> Regraded:
    """What a violated control hides stays hidden: only a row that differs says its grades."""
    return replace(done, rows=tuple(one if one.state == DIFFER else _without_grade(one) for one in done.rows))


def _without_grade(one: Regrade) -> Regrade:
    """Why it could not be graded says nothing of the grade; what its gradings showed does."""
    why = HIDDEN.not_measured if one.seen and one.why else one.why
    return replace(one, recorded=HIDDEN, now=HIDDEN, seen=(), why=why)


def _material(named: Path | None, seal: Seal | None) -> Path | NotMeasured:
    """Where the tasks lie: what was named, else a pack of ours of the sealed name; its digests are compared task by task."""
    if named is not None:
        return named
    return builtin_packs().get(seal.pack_id, NO_PACK) if seal else NO_PACK


def _concurrency(seal: Seal | None) -> int:
    """As the run graded, as far as this machine goes."""
    sealed = seal.envelope.run.concurrency if seal else 1
    return max(1, min(sealed if isinstance(sealed, int) else 1, os.cpu_count() or 1))


def _notes(seal: Seal | None, box: Box | None) -> Iterator[str]:
    if seal is None:
        yield OWN_TERMS
    elif box is not None:
        moved = [name for name in BOX_FIELDS if getattr(box, name) != getattr(seal.box, name)]
        if moved:
            yield f"this box is not the one that was sealed: {', '.join(moved)}"
    yield "shown: what grade the stored patches get. Not shown: that the agent wrote them"
