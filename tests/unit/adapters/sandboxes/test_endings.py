"""How a command ended: the kernel's word first, bubblewrap's number else; and why a sandbox did not start."""

import contextlib
import os
import platform
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.cgroups import harness_name
from denominator.adapters.sandboxes.endings import decode, who
from denominator.adapters.sandboxes.prepare import prepare
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.adapters.sandboxes.spawn import spawn
from denominator.adapters.sandboxes.supervise import Watch
from denominator.errors import MachineError
from denominator.ports import Job, Mount
from denominator.records.envelopes import SandboxTerms
from denominator.records.words import KilledBy
from denominator.testing.sandbox_suite import LIMITS

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


@pytest.mark.parametrize(
    ("status", "returncode", "right"),
    [
        (9, 137, (-1, 9)),
        (137 << 8, 137, (137, 0)),
        (0, 0, (0, 0)),
        (None, 137, (-1, 9)),
        (None, 3, (3, 0)),
        (None, 128, (128, 0)),
        (None, 255, (255, 0)),
        (None, 129, (-1, 1)),
        (None, -9, (-1, 9)),
    ],
)
def test_decode(status, returncode, right):
    assert decode(status, returncode) == right


def run(box, *argv, **more):
    return box.run(replace(Job(argv=argv, role="agent", limits=LIMITS), **more))


@pytest.fixture(scope="module")
def box():
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    made = Bubblewrap()
    yield made
    made.close()


def test_an_exit_code_above_128_is_no_signal_where_the_kernel_tells(box):
    if tuple(int(part) for part in platform.release().split(".")[:2]) < (6, 15):
        pytest.skip("the kernel tells exits of other processes since 6.15")
    ended = run(box, "sh", "-c", "exit 137")
    assert (ended.exit_code, ended.signal, ended.killed_by) == (137, 0, "nobody")


@pytest.mark.parametrize(
    ("killed_by", "number", "oom", "right"),
    [
        ("nobody", 0, False, "nobody"),
        ("nobody", 0, True, "nobody"),
        ("nobody", 9, True, "kernel_oom"),
        ("nobody", 9, False, "self"),
        ("nobody", 15, True, "self"),
        ("budget_wall", 9, False, "budget_wall"),
        ("budget_wall", 9, True, "budget_wall"),
        ("budget_wall", 0, False, "nobody"),
        ("harness_stop", 15, False, "self"),
    ],
)
def test_who_ended_it(killed_by, number, oom, right):
    """A SIGKILL of ours that comes after the command's own end did not end it."""
    assert who(KilledBy(killed_by), number, oom) == right


def test_reasons_of_a_failed_start(box, tmp_path):
    assert "nope" in run(box, "nope").start_error
    assert "/no/where" in run(box, "true", cwd="/no/where").start_error
    assert "gone" in run(box, "true", mounts=(Mount(host=tmp_path / "gone", inside="/in"),)).start_error
    script = tmp_path / "plain"
    script.write_text("#!/bin/sh\n")
    assert run(box, "/in", mounts=(Mount(host=script, inside="/in"),)).start_error, "not executable"
    script.chmod(0o755)
    assert not run(box, "/in", mounts=(Mount(host=script, inside="/in"),)).start_error


def test_a_failed_start_leaves_nothing_open(box):
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        run(box, "nope")
        run(box, "true", cwd="/no/where")
        run(box, "true")
    assert len(os.listdir("/proc/self/fd")) == before
    if box.cgroups.folders:
        # Other runs on this machine have groups of their own beside ours.
        assert list(box.cgroups.folders[0].glob(f"{harness_name()}-*")) == []


def test_without_bubblewrap_it_says_what_to_install():
    box = Bubblewrap(bwrap="no-such-bwrap")
    with pytest.raises(MachineError, match="not installed"):
        run(box, "true")
    facts = box.facts(SandboxTerms())
    assert not facts.usable and "not installed" in facts.why_not and not any(p.holds for p in facts.protections)


def test_an_interpreter_that_is_not_there_is_a_fact(box):
    facts = box.facts(SandboxTerms(python="/opt/none/bin/python3"))
    assert not facts.usable and "/opt/none/bin/python3" in facts.why_not


@needs_bwrap
def test_disk_of_a_plain_folder_is_measured(tmp_path):
    box = Bubblewrap()
    work = box.workspace(tmp_path / "w", role="agent", slot=0, disk_bytes=1 << 20)
    script = "mkdir a; for n in 1 2 3 4 5 6 7 8; do head -c 1000000 /dev/zero > a/$n; done; sleep 20"
    limits = replace(LIMITS, disk_bytes=4 << 20)
    ended = run(box, "sh", "-c", script, workdir=work, limits=limits)
    assert (ended.killed_by, ended.enforced["disk"]) == ("budget_disk", f"{4 << 20} polled")
    assert ended.wall_ns < 15e9
    box.discard(work)
    box.close()


class StopAfter:
    """A stop that is set a moment after its making: somewhere in the start of a sandbox."""

    def __init__(self, seconds):
        self.at = time.monotonic() + seconds

    def is_set(self):
        return time.monotonic() >= self.at


def processes_with(word: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if word in path.read_bytes().decode("utf-8", "replace") else []
        except OSError:
            continue
    return found


def test_a_stop_in_the_middle_of_a_start_leaves_no_process(box):
    """Bubblewrap's inner process would wait for ever for an outer one that was killed too early."""
    for number in range(20):
        ended = box.run(
            replace(Job(argv=("sleep", "9"), role="agent", limits=replace(LIMITS, open_files=177))),
            StopAfter(number % 4 / 1000),
        )
        assert ended.killed_by == "harness_stop"
    assert processes_with("ulimit -HSn 177") == []


def test_before_the_gate_answers_nothing_is_killed(box):
    job = Job(argv=("sleep", "9"), role="agent", limits=LIMITS)
    with contextlib.ExitStack() as undo:
        ready = prepare(job, box, None, undo)
        spawned = spawn(ready.order, ready.passed)
        undo.callback(spawned.close)
        Watch(spawned=spawned, limits=LIMITS).give_up(b"")
        assert spawned.process.returncode in (125, 128 + 13), "the gate ends by itself: it reads or writes in vain"


def test_what_is_interrupted_is_ended_when_it_is_closed(box):
    job = Job(argv=("sleep", "9"), role="agent", limits=replace(LIMITS, open_files=178))
    with contextlib.ExitStack() as undo:
        ready = prepare(job, box, None, undo)
        spawned = spawn(ready.order, ready.passed)
        while spawned.ready(1) is None:
            pass
        spawned.go()
        spawned.close()
    assert spawned.process.returncode is not None and processes_with("ulimit -HSn 178") == []


@needs_bwrap
def test_nothing_survives_the_death_of_the_harness(tmp_path):
    """A harness process is killed with SIGKILL; detached and twice forked processes of its sandbox die too."""
    import subprocess
    import sys

    from denominator.adapters.sandboxes import probes

    source = str(Path(__file__).parents[4] / "src")
    work = tmp_path / "work"
    work.mkdir()
    Bubblewrap().hand_over(work, role="agent", slot=0)
    harness = subprocess.Popen([sys.executable, "-I", "-S", "-c", probes.HARNESS, source, str(work)])
    beat = work / "beat"
    try:
        for _ in range(2000):
            if beat.exists() and beat.stat().st_size > 3:
                break
            time.sleep(0.01)
        else:
            pytest.fail("the sandboxed process never began")
    finally:
        harness.kill()
        harness.wait()
    sizes = []
    for _ in range(100):
        sizes.append(beat.stat().st_size)
        if len(sizes) > 10 and len(set(sizes[-10:])) == 1:
            break
        time.sleep(0.03)
    assert len(set(sizes[-10:])) == 1, "a process of the sandbox lives on"
    remove_tree(work)
