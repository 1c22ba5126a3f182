"""`probe score`: the stored bytes judged again, offline, and held against the score that lies there. START HERE.

The same bytes give the same score, byte for byte. A stored score that does not follow from the stored bytes stays where
it is and is named; one that an older classifier made is replaced, and every attempt whose class moved is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.errors import Exit, InputError
from denominator.pipeline.probe_evidence import Stored, all_heard, opened
from denominator.probe.attempts import Key, told
from denominator.probe.scoring import score as make_score
from denominator.publish.probe_told import told_score
from denominator.records.probe_results import ProbeScore, Scored
from denominator.records.values import counted
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import write_file

NAME = "score.json"
WRITTEN, SAME, REPLACED, KEPT = "written", "reproduced", "replaced", "kept"


@dataclass(frozen=True, slots=True)
class Rescored:
    """The score, what became of `score.json` (written, reproduced, replaced, kept), what moved, and why it is not the same."""

    score: ProbeScore
    file: str
    moved: tuple[str, ...] = ()
    why: str = ""

    @property
    def exit(self) -> Exit:
        """4 while promises are open, 1 where passes are withheld or the stored score does not follow from the bytes."""
        withheld = any(one.withheld for one in self.score.windows)
        codes = [Exit.OPEN] if self.score.missing or not self.score.windows else []
        return Exit.worst([*codes, *([Exit.BLOCKED] if withheld or self.file == KEPT else [])])


def score_folder(folder: Path) -> ProbeScore:
    """What is stored, judged; nothing is written. InputError for a folder that cannot be read, with every defect."""
    return score_stored(opened(folder))


def score_stored(stored: Stored) -> ProbeScore:
    """The score of a probe that is open already."""
    return make_score(stored.seal(), stored.seal_sha256, stored.fixture(), stored.windows(), all_heard(stored))


def rescore(folder: Path) -> Rescored:
    """Judge again and write `score.json`, unless the one that is there contradicts the bytes."""
    return put(score_folder(folder), folder / NAME)


def put(score: ProbeScore, path: Path) -> Rescored:
    """Hold a score against the one that is stored at a path, and store it there where it may take its place."""
    shown = told_score(score)
    made = canonical(shown)
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        write_file(path, made)
        return Rescored(score, WRITTEN)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    if there == made:
        return Rescored(score, SAME)
    found = replace(_held(_old(there, path), shown), score=score)
    if found.file == REPLACED:
        write_file(path, made)
    return found


def _old(data: bytes, path: Path) -> ProbeScore:
    try:
        return from_json(ProbeScore, loads(data), str(path))
    except InputError as error:
        error.fix = error.fix or f"remove {path}: it is made anew from the stored bytes"
        raise


def _held(old: ProbeScore, new: ProbeScore) -> Rescored:
    """Why the two are not the same, and whether the new one may take the place."""
    moved = tuple(_moved(old, new))
    if old.seal_sha256 != new.seal_sha256:
        return Rescored(new, KEPT, moved, f"it is of another seal ({old.seal_sha256[:12]})")
    if old.classifier != new.classifier:
        why = f"classifier {old.classifier} made it, this is {new.classifier}: {counted(len(moved), 'attempt')} moved"
        return Rescored(new, REPLACED, moved, why)
    before, now = set(_by_key(old)), set(_by_key(new))
    if before < now:
        return Rescored(new, REPLACED, moved, f"{counted(len(now - before), 'attempt')} came since")
    if _counts(old) == _counts(new):
        return Rescored(new, REPLACED, moved, "its counts are the same, its texts or windows are not")
    return Rescored(new, KEPT, moved, "it does not follow from the stored bytes")


def _counts(score: ProbeScore) -> tuple[object, ...]:
    """A score without its texts: what the stored attempts alone decide."""
    attempts = tuple(replace(one, note="") for one in score.attempts)
    across = tuple(replace(one, note="") for one in score.across)
    latency = tuple(replace(one, note="", rule="") for one in score.latency)
    return attempts, across, score.histogram, latency, score.facts


def _by_key(score: ProbeScore) -> dict[Key, Scored]:
    return {(one.window, one.case_id, one.mode, one.attempt): one for one in score.attempts}


def _moved(old: ProbeScore, new: ProbeScore) -> Iterator[str]:
    """Attempts that both hold and whose class or reason is another one now; then what one of them lacks."""
    before, now = _by_key(old), _by_key(new)
    for key in [key for key in now if key in before]:
        a, b = before[key], now[key]
        if (a.cls, a.reason) != (b.cls, b.reason):
            yield f"{told(key)}: {_word(a)} is now {_word(b)}"
    for key in sorted(set(before) - set(now)):
        yield f"{told(key)}: {_word(before[key])} has no stored attempt"


def _word(one: Scored) -> str:
    return f"{one.cls} {one.reason}".rstrip()
