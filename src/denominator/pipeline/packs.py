"""`pack lock` in order: lint, digests, baseline, lint of the baseline, one atomic write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from denominator._version import __version__
from denominator.errors import BlockedError, Problem
from denominator.packs import LOCK_FILE, load_pack, make_lock
from denominator.packs.lint import blocking, lint_pack
from denominator.pipeline.baseline_store import LEAST_REPEATS
from denominator.pipeline.baselines import Bench, take_baseline
from denominator.records.boxes import Box
from denominator.records.findings import Finding
from denominator.records.packs import FoundPack, PackLock
from denominator.wire.canonical import canonical
from denominator.wire.durable import write_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """A lock as written, and what lint still notes."""

    lock: PackLock
    findings: tuple[Finding, ...]


def lock_pack(root: Path, bench: Bench, *, box: Box, repeats: int = LEAST_REPEATS, concurrency: int = 1) -> Locked:
    """Lock a pack or refuse with every reason; an old lock stays as it is until the new one is whole."""
    found = load_pack(root)
    _refuse(found, lint_pack(replace(found, lock=None)))
    make_lock(found, None, __version__)  # refuses a used version before minutes of grading are spent
    baseline = take_baseline(found, bench, repeats=repeats, concurrency=concurrency, box=box)
    lock = make_lock(found, baseline, f"denominator {__version__}")
    findings = lint_pack(replace(found, lock=lock))
    _refuse(found, findings)
    write_file(root / LOCK_FILE, canonical(lock) + b"\n")
    return Locked(lock=lock, findings=findings)


def _refuse(found: FoundPack, findings: tuple[Finding, ...]) -> None:
    blocked = blocking(findings)
    if blocked:
        raise BlockedError(
            f"the pack is unfit to measure with: {len(blocked)} findings",
            where=found.root,
            problems=[Problem(f.where, f"{f.code} {f.allow_name}: {f.subject}: {f.what}", f.fix) for f in blocked],
            fix="denominator pack lint " + found.root,
        )
