"""Many attempts, many at a time: the state machine, journal, blobs, trees and threads are real, agents only sleep.

`make test` runs the small one; `SCALE=10000x200 pytest -m e2e tests/simulation/test_scale.py` plans 10,000 attempts, 200 at a
time, and shows what it took (docs/evidence/scale.md).
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from denominator.errors import Exit
from denominator.pipeline.engine import StopFlag
from denominator.pipeline.looking import CHECKED, status
from denominator.pipeline.run import in_order, open_promises
from denominator.run.progress import read_progress
from simulation.sleeping import Night, make_night, watched

SMALL = "40x20"
PER_ATTEMPT = ("promised", "applied", "patch", "graded", "closed")


def night_of(folder: Path, size: str, least_s: float, most_s: float) -> Night:
    """`ATTEMPTSxBEDS`, over tasks of ten repeats or more."""
    attempts, beds = (int(one) for one in size.split("x"))
    tasks = max(1, min(100, attempts // 10))
    return make_night(folder, tasks=tasks, repeats=attempts // tasks, beds=beds, least_s=least_s, most_s=most_s)


def check_whole(night: Night, attempts: int) -> None:
    """Each attempt was promised, applied, graded and ended once; nothing is left over."""
    events = list(night.run.journal.events())
    once = Counter((e.kind, e.key) for e in events if e.kind in PER_ATTEMPT)
    assert set(once.values()) == {1} and len(once) == len(PER_ATTEMPT) * attempts
    assert night.run.journal.verify() == []
    assert open_promises(night.run) == [] and not night.run.folder.work.exists()


def test_as_many_run_at_a_time_as_there_are_slots(tmp_path: Path) -> None:
    night = night_of(tmp_path, SMALL, 1.0, 1.2)
    with watched(0.01) as seen:
        done = night.sleep()
    assert (done.exit, done.why, done.messages) == (Exit.DONE, "finished", ())
    check_whole(night, 40)
    assert night.beds.most_asleep >= 15, "they sleep at the same time"
    assert seen.threads <= 20 + 8 and seen.files <= 20 * 4 + 60


def test_a_stop_lets_everybody_go_and_a_later_process_does_the_rest(tmp_path: Path) -> None:
    night, stop = night_of(tmp_path, SMALL, 0.3, 0.4), StopFlag()
    timer = threading.Timer(0.5, stop.set, ("sigterm", Exit.OPEN))
    timer.start()
    done = night.sleep(stop)
    timer.join()
    assert done.exit == Exit.OPEN and night.beds.asleep == 0
    left = len(open_promises(night.run))
    assert 0 < left <= 40
    again = night.reopened()
    assert status(again.run)["open"] == left
    assert again.sleep().exit == Exit.DONE
    check_whole(again, 40)


def test_status_reads_no_more_of_a_run_that_is_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    night = night_of(tmp_path, "30x4", 0, 0)
    night.sleep()
    monkeypatch.setattr("denominator.pipeline.looking.CHECKED", 50)
    journal, walked = night.run.journal, []
    monkeypatch.setattr(
        type(journal), "events", lambda self, key=None, after=0: walked.append((key, after)) or iter(())
    )
    said = status(night.run)
    newest = journal.standing().newest
    assert (said["closed"], said["open"], said["promised"], said["unpromised"]) == (30, 0, 30, 0)
    assert walked == [(None, newest - 50)] and said["chain_checked_after"] == newest - 50
    assert CHECKED >= 1000


def test_open_attempts_are_put_in_order_in_one_pass(tmp_path: Path) -> None:
    night = night_of(tmp_path, "30x1", 0, 0)
    assert in_order([night.run], frozenset()) == ([], [], [])
    stop = StopFlag()
    stop.set("sigterm", Exit.OPEN)
    night.sleep(stop)
    _, counted, _ = in_order([night.run], frozenset())
    assert [key.draw for _, key in counted] == [declared.draw for declared in night.run.seal.plan.draws]


@pytest.mark.e2e
def test_so_much_and_what_it_took(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    size = os.environ.get("SCALE", "400x50")
    attempts, beds = (int(one) for one in size.split("x"))
    least, most = float(os.environ.get("SCALE_LEAST_S", "2")), float(os.environ.get("SCALE_MOST_S", "6"))
    night = night_of(tmp_path, size, least, most)
    begun, cpu = time.perf_counter(), time.process_time()
    with watched() as seen:
        done = night.sleep()
    took, cpu = time.perf_counter() - begun, time.process_time() - cpu
    assert done.exit == Exit.DONE, done.messages
    lines = [
        f"{attempts} attempts, {beds} at a time, each asleep for {least} to {most} s",
        f"took {took:.1f} s of the clock, {cpu:.1f} s of processor time; sleep alone {attempts * (least + most) / 2 / beds:.1f} s",
        f"{attempts / took:.1f} attempts a second; most asleep {night.beds.most_asleep}",
        f"threads {seen.threads}, file handles {seen.files}, memory {seen.memory_mb} MB",
    ]
    again = night.reopened()
    one = again.run.journal.standing().promised[0]
    for name, act in (
        ("status", lambda: status(again.run)),
        ("open promises", lambda: open_promises(again.run)),
        ("progress of one attempt", lambda: read_progress(again.run.journal.events(one))),
        ("the whole chain", again.run.journal.verify),
        ("resume of a finished run", again.sleep),
    ):
        begun = time.perf_counter()
        act()
        lines.append(f"{name}: {(time.perf_counter() - begun) * 1e3:.1f} ms")
    record_property("shown_at_end", "\n".join(lines))
    check_whole(again, attempts)
