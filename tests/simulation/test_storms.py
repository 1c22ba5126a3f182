"""Thousands of interrupted runs in one process: crash, power cut, two resumers, deliveries twice; the invariants hold.

`DENOMINATOR_SIMULATIONS=20000 pytest tests/simulation/test_storms.py` plays that many, `DENOMINATOR_SIMULATION_SEED=7` only
the storms of one seed. What was played, and where processes died, is printed below the results.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from stat import S_ISDIR
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from conftest import SHOWN
from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store import blobs, rows
from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.catalog.failpoints import FAILPOINTS
from denominator.pipeline import applying, run
from denominator.pipeline.engine import StopFlag
from denominator.run.layout import RunFolder
from denominator.testing.simulation import CUT, FULL, KILL, told
from denominator.wire import durable
from denominator.wire.canonical import sha256_bytes
from denominator.wire.trees import apply
from simulation.storms import Report, at_every_step, commit, how_to_replay, play, shrunk, storms_of, wanted_number

CI = 500
"""How many storms of random seeds one run of the tests plays, beside one at every step of the smallest run."""
FEW = 60
"""In how many seeds a mutation of the code must be found."""


def played(number: int) -> Iterator[Report]:
    """Reports of at least so many storms, or of those of the one seed that was asked for."""
    seed = os.environ.get("DENOMINATOR_SIMULATION_SEED", "")
    if seed:
        yield from play(*storms_of(int(seed)))
        return
    count = 0
    for each in range(1, number + 1):
        for report in play(*storms_of(each)):
            count += 1
            yield report
        if count >= number:
            return


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "disk", "every"), [(CUT, "posix", 1), (CUT, "ordered", 3), (KILL, "posix", 3), (FULL, "posix", 3)]
)
def test_a_crash_at_every_step_of_the_smallest_run_loses_nothing(
    how: str, disk: str, every: int, record_property: pytest.RecordProperty
) -> None:
    reports = play(*at_every_step(how, disk, every))
    record_property(SHOWN, summary(reports))
    failures = [one for one in reports if one.wrong]
    assert not failures, "\n\n".join(map(how_to_replay, failures[:3]))


@pytest.mark.slow
def test_a_tree_that_a_person_changed_is_never_touched_wherever_the_run_was_killed() -> None:
    reports = play(*at_every_step(KILL, "posix", 2, edit=True))
    failures = [one for one in reports if one.wrong]
    assert not failures, "\n\n".join(map(how_to_replay, failures[:3]))
    assert sum(one.unknown for one in reports) >= 5


@pytest.mark.slow
def test_the_invariants_hold_however_a_run_is_interrupted(record_property: pytest.RecordProperty) -> None:
    reports, failures = list[Report](), list[Report]()
    for report in played(wanted_number(CI)):
        reports.append(report)
        failures += [report] if report.wrong else []
        if len(failures) == 3:
            break
    record_property(SHOWN, summary(reports))
    assert not failures, "\n\n".join(how_to_replay(shrunk(one)) for one in failures)


def summary(reports: list[Report]) -> str:
    """How many, of which form, where processes died, and at which failpoints of a run without a model nobody did."""
    died = Counter(at for one in reports for at in one.died_at)
    points = {at.removeprefix("failpoint ") for at in died if at.startswith("failpoint ")}
    possible = {name for one in reports for name in one.failpoints}
    forms = Counter(one.storm.form for one in reports)
    return "\n".join(
        [
            f"{len(reports)} storms of commit {commit()}: {told(forms)}",
            f"{sum(one.steps for one in reports)} steps, {sum(one.switches for one in reports)} changes of process, "
            f"{sum(died.values())} crashes at {len(died)} distinct points, {sum(one.unknown for one in reports)} foreign edits seen",
            f"died at {len(points & possible)} of {len(possible)} failpoints that such a run passes (of {len(FAILPOINTS)} in all)",
            f"not died at: {', '.join(sorted(possible - points)) or 'none'}",
        ]
    )


def test_a_journal_is_synced_before_a_commit_returns(tmp_path: Path) -> None:
    """The storms take this for granted: SQLite makes its calls where no shim sees them."""
    journal = SqliteJournal(tmp_path / "journal.db", "r", SystemClock(), NoFailpoints(), create=True)
    with closing(journal):
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_same_seed_is_the_same_storm() -> None:
    one, two = ([str((r.died_at, r.steps, r.switches, r.wrong)) for r in play(*storms_of(5))] for _ in range(2))
    assert one == two


def test_a_storm_alone_is_what_it_was_among_its_siblings() -> None:
    storms = storms_of(6)
    together = play(*storms)
    for storm, report in zip(storms, together, strict=True):
        (alone,) = play(storm)
        assert (alone.died_at, alone.steps, alone.wrong) == (report.died_at, report.steps, report.wrong)


def done_before_effect(stack: ExitStack) -> None:
    """The row that says "applied" is written before the tree is renamed into its place."""
    apply_it, say_done = applying._apply, applying._done

    def first(world: Any, opened: Any, notes: Any, effect: Any) -> bool:
        with patch.object(applying, "sync_folder", lambda folder: None):
            say_done(world, notes, effect, applying.Apply.APPLY)
        return apply_it(world, opened, notes, effect)

    def after(world: Any, notes: Any, effect: Any, step: Any) -> None:
        if step is not applying.Apply.APPLY:
            say_done(world, notes, effect, step)

    stack.enter_context(patch.object(applying, "_apply", first))
    stack.enter_context(patch.object(applying, "_done", after))


def no_folder_sync(stack: ExitStack) -> None:
    """Nobody makes a rename durable."""
    for module in (applying, durable, blobs):
        stack.enter_context(patch.object(module, "sync_folder", lambda folder: None))


def no_sync_above(stack: ExitStack) -> None:
    """Only the folder of the rename is synced, none above it: the whole scratch may be gone (found by these storms)."""
    stack.enter_context(patch.object(RunFolder, "above", lambda self, key: (self.attempt(key),)))


def no_file_sync(stack: ExitStack) -> None:
    """A blob is renamed into its place without its bytes having been synced."""
    lazy = SimpleNamespace(**{name: getattr(os, name) for name in dir(os)})
    lazy.open, lazy.link = (lambda *a, **k: os.open(*a, **k)), (lambda *a, **k: os.link(*a, **k))
    lazy.fsync = lambda fd: os.fsync(fd) if S_ISDIR(os.fstat(fd).st_mode) else None
    stack.enter_context(patch.object(durable, "os", lazy))


def no_tree_sync(stack: ExitStack) -> None:
    """A staged tree is renamed without its files having been synced."""
    stack.enter_context(patch.object(apply, "sync_tree", lambda root: None))


def row_before_blob(stack: ExitStack) -> None:
    """A row names a blob that is written only afterwards."""
    waiting: dict[str, tuple[FolderBlobs, bytes]] = {}
    put, append, get = FolderBlobs.put, SqliteJournal.append, FolderBlobs.get

    def later(self: FolderBlobs, data: bytes) -> str:
        sha = sha256_bytes(data)
        waiting[sha] = (self, data)
        return sha

    def flush(self: SqliteJournal, *drafts: Any) -> Any:
        events = append(self, *drafts)
        while waiting:
            _, (store, data) = waiting.popitem()
            put(store, data)
        return events

    def near(self: FolderBlobs, sha: str) -> bytes:
        return waiting[sha][1] if sha in waiting else get(self, sha)

    stack.enter_context(patch.object(FolderBlobs, "put", later))
    stack.enter_context(patch.object(FolderBlobs, "get", near))
    stack.enter_context(patch.object(SqliteJournal, "append", flush))


def no_fencing(stack: ExitStack) -> None:
    """An incarnation that a newer one has replaced may go on writing."""
    stack.enter_context(patch.object(rows.Fence, "_not_older", lambda self, key, incarnation: self.newest(key)))


MUTATIONS = (done_before_effect, no_folder_sync, no_sync_above, no_file_sync, no_tree_sync, row_before_blob, no_fencing)


def full_disk_is_done(stack: ExitStack) -> None:
    """A process whose files could not be written ends with 0 (found by these storms)."""
    files = run._files

    def unheard(world: Any, opened: Any, stop: Any, said: Any, ends: Any = None) -> list[str]:
        return files(world, opened, StopFlag(), said, ends)

    stack.enter_context(patch.object(run, "_files", unheard))


def full_disk_in_controls(stack: ExitStack) -> None:
    """A disk that is full while a control is shown ends the process with an error that nobody expects (found by these storms)."""
    stack.enter_context(patch.object(run, "shown_controls", lambda *given: [run.run_controls(*given)] * 0))


@pytest.mark.parametrize("mutation", (full_disk_is_done, full_disk_in_controls), ids=lambda one: one.__name__)
def test_a_full_disk_at_some_step_finds_what_is_broken(mutation: Callable[[ExitStack], None]) -> None:
    storms = at_every_step(FULL, "posix")[:: -1 if mutation is full_disk_in_controls else 1]
    with ExitStack() as stack:
        mutation(stack)
        found = next((one for storm in storms for one in play(storm) if one.wrong), None)
    assert found is not None, mutation.__doc__


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.__name__)
def test_the_storms_find_what_is_broken(mutation: Callable[[ExitStack], None]) -> None:
    with ExitStack() as stack:
        mutation(stack)
        found = next((one for seed in range(1, FEW) for one in play(*storms_of(seed)) if one.wrong), None)
    assert found is not None, f"{FEW} seeds did not find: {mutation.__doc__}"
