"""Keeping baselines: taken once, shared by all arms, at most a day old."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.records.boxes import Box
from denominator.records.envelopes import SandboxTerms
from denominator.records.packs import Baseline
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical, digest
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import write_file

MAX_AGE = timedelta(hours=24)
LEAST_REPEATS = 3
PASSING = ("load_1m", "disk_free_bytes", "ntp_synchronised", "harness_version", "harness_commit")
"""No part of a box: what moves from minute to minute, and the harness (its grader has a digest of its own)."""


@dataclass(frozen=True, slots=True)
class BaselineKey:
    """What a baseline may be used for: these files, on this box, at this concurrency, with this grader and these limits."""

    pack_digest: str
    box_digest: str
    concurrency: int
    grader_sha: str
    terms_digest: str


def box_digest(box: Box) -> str:
    """The box by everything that lasts: load, free disk and clock state are left out."""
    return digest({f.name: _plain(getattr(box, f.name)) for f in fields(box) if f.name not in PASSING})


def terms_digest(terms: SandboxTerms) -> str:
    """What gradings run under; the network is left out, for no grading has one, and an image where there is none."""
    left_out = {"network"} if terms.image else {"network", "image"}
    return digest({f.name: _plain(getattr(terms, f.name)) for f in fields(terms) if f.name not in left_out})


def _plain(value: str | int | NotMeasured) -> str | int:
    return f"unknown: {value.not_measured}" if isinstance(value, NotMeasured) else value


def store_baseline(folder: Path, baseline: Baseline) -> Path:
    """Keep a baseline for later runs; returns its file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = _place(folder, _key(baseline))
    write_file(path, canonical(baseline) + b"\n")
    return path


def load_baseline(folder: Path, key: BaselineKey, *, now: str, repeats: int = LEAST_REPEATS) -> Baseline | NotMeasured:
    """A kept baseline that may be used at `now` (UTC, ISO 8601), or why there is none."""
    path = _place(folder, key)
    try:
        baseline = from_json(Baseline, loads(path.read_bytes(), str(path)), str(path))
    except FileNotFoundError:
        return NotMeasured("none was taken of these files on this box at this concurrency under these limits")
    except (OSError, DenominatorError) as error:
        return NotMeasured(f"{path} cannot be used: {error}")
    return usable(baseline, key, now=now, repeats=repeats)


def usable(baseline: Baseline, key: BaselineKey, *, now: str, repeats: int = LEAST_REPEATS) -> Baseline | NotMeasured:
    """The baseline itself where it may be used at `now` under these conditions, else why not."""
    if _key(baseline) != key:
        return NotMeasured("it is of other conditions")
    if baseline.repeats < repeats:
        return NotMeasured(f"it has {baseline.repeats} repeats, {repeats} are wanted")
    why = stale(baseline, now)
    return NotMeasured(why) if why else baseline


def stale(baseline: Baseline, now: str) -> str:
    """Why a baseline is too old to be used at `now`, or nothing. One from the future says that a clock went back."""
    age = datetime.fromisoformat(now) - datetime.fromisoformat(baseline.taken_at)
    if age < timedelta(0):
        return f"it was taken at {baseline.taken_at}, after now ({now}): the clock went back"
    if age > MAX_AGE:
        return f"it was taken at {baseline.taken_at}, more than 24 hours ago"
    return ""


def _key(baseline: Baseline) -> BaselineKey:
    return BaselineKey(
        baseline.pack_digest, baseline.box_digest, baseline.concurrency, baseline.grader_sha, baseline.terms_digest
    )


def _place(folder: Path, key: BaselineKey) -> Path:
    name = digest([key.pack_digest, key.box_digest, key.concurrency, key.grader_sha, key.terms_digest])
    return folder / f"baseline-{name[:32]}.json"
