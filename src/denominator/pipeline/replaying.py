"""Replays: the same tasks later under the same seal, told apart from other runs by a file of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from denominator.compare.replays import Times, hidden_flips, replay_of
from denominator.envelopes.terms import terms_of
from denominator.errors import InputError, OpenPromisesError
from denominator.judge import make_sheet
from denominator.pipeline.baseline_store import box_digest
from denominator.pipeline.run import open_promises, read_ledger
from denominator.pipeline.world import OpenRun
from denominator.records.boxes import Box
from denominator.records.judgements import Sheet
from denominator.records.replays import NO_TIME, Replay
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.codec import from_json, loads
from denominator.wire.times import read_time

FILE = "replay.json"
LEAST_HOURS = 24
BYTES_MAX = 1 << 20
WENT_BACK = NotMeasured("by the wall clock the second began before the first had ended")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayNote:
    """`replay.json`: which run this one repeats, and why it came within a day of it (empty: it did not)."""

    of: str
    seal: str
    early_why: str = ""
    schema_version: int = 1


def replay_note(folder: Path) -> ReplayNote | None:
    """What makes a run a replay, where its folder says so."""
    path = folder / FILE
    if not path.is_file():
        return None
    found: ReplayNote = from_json(ReplayNote, loads(read_bytes(path, BYTES_MAX), str(path)), str(path))
    return found


def replays_of(run: OpenRun) -> tuple[Replay, ...]:
    """Every finished replay of a run, judged now, in the order of their ids."""
    return tuple(_judged(run))


def _judged(run: OpenRun) -> Iterator[Replay]:
    first: Sheet | None = None
    for again in run.replays():
        with closing(again.journal):
            if again.seal_digest != run.seal_digest:  # its note, damaged or not, is no matter of this run
                continue
            note = replay_note(again.folder.root)
            if note is None or note.seal != run.seal_digest:
                continue
            if open_promises(again) or not read_ledger(again).rows:
                continue
            first = first or sheet_of(run)
            times = (ended_at(run), began_at(again))
            passed = hours(*map(read_time, times))
            found = replay_of(
                first,
                sheet_of(again),
                run_id=again.run_id,
                hours=passed,
                early_why=note.early_why,
                times=known_times(*times),
            )
            yield hidden_flips(found) if _violated(sheet_of(again)) else found


def _violated(sheet: Sheet) -> bool:
    return any(control.state == "violated" for control in sheet.controls)


def sheet_of(run: OpenRun) -> Sheet:
    """A run of ours as labelled now; nothing of it is printed without the gate."""
    return make_sheet(read_ledger(run), terms_of(run.seal, seal_sha=run.seal_digest))


def ended_at(run: OpenRun) -> str:
    """When the last attempt of a run ended, by the wall clock; "" where none did."""
    return max((e.t_wall for e in run.journal.events() if e.kind == "closed"), default="")


def began_at(run: OpenRun) -> str:
    """When a run was first started; "" where it never was."""
    return min((e.t_wall for e in run.journal.events() if e.kind == "run.started"), default="")


def known_times(ended: str, began: str) -> Times:
    """The same as values of a record."""
    return ended or NO_TIME, began or NO_TIME


def hours(ended: datetime | None, began: datetime | None) -> int | NotMeasured:
    """Whole hours between two times; a clock that went back measures nothing."""
    if ended is None or began is None:
        return NotMeasured("one of the two runs has no start or no ending")
    passed = began - ended
    if passed.total_seconds() < 0:
        return WENT_BACK
    return int(passed.total_seconds() // 3600)


def refuse_unready(run: OpenRun, now: str, early_why: str) -> None:
    """Only a finished run of the whole plan is replayed, a day later or with the reason why not."""
    where = str(run.folder.root)
    if open_promises(run):
        raise OpenPromisesError("promises are still open", where=where, fix=f"denominator resume {run.run_id}")
    ended = ended_at(run)
    if not ended:
        raise InputError("nothing of it has run yet", where=where, fix=f"denominator resume {run.run_id}")
    if note := replay_note(run.folder.root):
        raise InputError(f"it is itself a replay of {note.of}", where=where, fix=f"denominator replay {note.of}")
    if tape := run.seal.cassette:
        what = f"its answers are played from a recording of {tape.run_id}: a replay would show the same draws"
        raise InputError(what, where=where, fix=f"denominator replay {tape.run_id}")
    passed = hours(read_time(ended), read_time(now))
    if early_why.strip() or (isinstance(passed, int) and passed >= LEAST_HOURS):
        return
    so_far = f"{passed} h" if isinstance(passed, int) else str(passed)
    raise InputError(
        f"a replay comes at least {LEAST_HOURS} h after the run: {so_far} have passed",
        where=where,
        fix='wait, or say why not: --early "WHY" (it is printed wherever the flips are)',
    )


def refuse_other_box(run: OpenRun, now: Box) -> None:
    """Under another box it is another seal: the flips would be of the machine."""
    if box_digest(now) != box_digest(run.seal.box):
        moved = sorted(name for name in BOX_FIELDS if getattr(now, name) != getattr(run.seal.box, name))
        raise InputError(
            f"the box is not the one that was sealed: {', '.join(moved)}",
            where=str(run.folder.seal),
            fix="replay on that box, or start a new run and compare the two",
        )


BOX_FIELDS = ("host", "kernel", "machine", "python", "cpu_count", "cpu_model", "memory_bytes", "cgroup_version",
              "cgroup_cpu_limit", "cgroup_memory_limit", "timezone", "container_image", "git_version",
              "toolchain_python", "toolchain_digest")  # fmt: skip
