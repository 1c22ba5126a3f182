"""A benched process: seen where it stops itself, killed with its group, never waited for too long. Disks and memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import denominator
from denominator.adapters.clock import STEP, clock_from_environment
from denominator.faultbench.children import Child
from denominator.faultbench.memory import squeeze
from denominator.faultbench.stopping import BenchStoppedError
from denominator.faultbench.subjects.held_run import HeldRun

FAR = 60
SOURCE = Path(denominator.__file__).parents[1]
HOLD = "import os, signal, sys; print('before', flush=True); os.kill(os.getpid(), signal.SIGSTOP); "


class Flag:
    def __init__(self, said: bool = False) -> None:
        self.said = said

    def is_set(self) -> bool:
        return self.said


def started(folder: Path, code: str) -> Child:
    return Child.start([sys.executable, "-c", code], folder, os.environ, folder / "said.log")


def held(folder: Path, code: str) -> HeldRun:
    child = started(folder, HOLD + code)
    assert child.wait(FAR, Flag())
    return HeldRun(child, None, folder / "clock")


def test_a_process_is_seen_where_it_stops_itself_and_goes_on_when_it_is_let(tmp_path: Path) -> None:
    run = held(tmp_path, "sys.exit(7)")
    run.go_on()
    assert not run.child.wait(FAR, Flag())
    assert (run.child.exit_code, run.child.said()) == (7, "before")


def test_a_kill_takes_the_whole_group(tmp_path: Path) -> None:
    code = "import subprocess; p = subprocess.Popen(['sleep', '300']); open('pid', 'w').write(str(p.pid)); "
    child = started(tmp_path, code + HOLD)
    assert child.wait(FAR, Flag())
    HeldRun(child, None, tmp_path / "clock").kill()
    assert child.exit_code == -signal.SIGKILL
    pid = int((tmp_path / "pid").read_text())
    assert gone(lambda: state(pid) in ("", "Z"))


def test_a_process_that_leaves_does_not_leave_its_group_behind(tmp_path: Path) -> None:
    child = started(tmp_path, "import subprocess; open('pid', 'w').write(str(subprocess.Popen(['sleep', '300']).pid))")
    assert not child.wait(FAR, Flag())
    assert child.exit_code == 0
    assert gone(lambda: state(int((tmp_path / "pid").read_text())) in ("", "Z"))


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def gone(check: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + FAR
    while not check() and time.monotonic() < deadline:
        time.sleep(0.01)
    return check()


def test_a_process_that_does_not_end_is_killed_and_said_to_be_late(tmp_path: Path) -> None:
    child = started(tmp_path, "import time; time.sleep(300)")
    assert not child.wait(0.05, Flag())
    assert (child.exit_code, child.late) == (-signal.SIGKILL, True)


def test_a_bench_that_is_told_to_stop_leaves_no_process(tmp_path: Path) -> None:
    child = started(tmp_path, "import time; time.sleep(300)")
    with pytest.raises(BenchStoppedError):
        child.wait(FAR, Flag(True))
    assert child.exit_code == -signal.SIGKILL


def test_sigterm_is_seen_when_the_process_goes_on(tmp_path: Path) -> None:
    run = held(tmp_path, "sys.exit(0)")
    run.ask_to_end()
    run.child.wait(FAR, Flag())
    assert run.child.exit_code == -signal.SIGTERM


def test_memory_that_is_taken_away_ends_what_takes_more(tmp_path: Path) -> None:
    run = held(tmp_path, "block = bytearray(64 << 20); print(len(block))")
    run.squeeze_memory()
    run.child.wait(FAR, Flag())
    run.release()
    killed = run.squeezed[0].killed()
    assert run.child.exit_code != 0
    # Under a control group the kernel kills; under RLIMIT_AS the process sees that there is no more.
    assert (run.child.exit_code == -signal.SIGKILL and killed > 0) or "cgroup" not in run.squeezed[0].how


def test_without_a_control_group_the_address_space_is_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("denominator.faultbench.memory._group", lambda _most: None)
    child = started(tmp_path, HOLD + "bytearray(64 << 20)")
    assert child.wait(FAR, Flag())
    taken = squeeze([child.pid])
    child.go_on()
    child.wait(FAR, Flag())
    assert (taken.how, child.exit_code) == ("RLIMIT_AS", 1)
    assert b"MemoryError" in child.log.read_bytes()


def test_a_stepped_clock_moves_the_wall_only_and_only_while_its_file_is_there(tmp_path: Path) -> None:
    file = tmp_path / "step"
    clock = clock_from_environment({STEP: str(file)})
    before, mono = clock.wall(), clock.mono_ns()
    file.write_text("-3600")
    stepped = clock.wall()
    assert stepped < before and clock.mono_ns() >= mono
    file.write_text("no number")
    assert clock.wall() >= before
    assert type(clock_from_environment({})).__name__ == "SystemClock"


DISK = """
import os, sys
from pathlib import Path
from denominator.faultbench.disks import SmallDisk, private_mounts
why = private_mounts()
if why:
    print("skip", why)
    sys.exit(0)
place = Path(sys.argv[1])
disk = SmallDisk.mount(place, 4 << 20)
(place / "row").write_bytes(b"x" * 100)
disk.fill()
try:
    fd = os.open(place / "more", os.O_WRONLY | os.O_CREAT)
    os.write(fd, b"y")
    print("room")
except OSError as error:
    print(error.errno)
disk.free()
(place / "more").write_bytes(b"z" * 1000)
print((place / "row").read_bytes() == b"x" * 100, (place / "more").stat().st_size)
disk.unmount()
print(sorted(path.name for path in place.iterdir()))
"""


@pytest.mark.parametrize("user", ["root", "ordinary"])
def test_a_small_disk_is_full_to_the_last_byte_and_then_has_room_again(user: str) -> None:
    argv = ["/usr/bin/python3", "-B", "-c", DISK]
    if user == "root" and os.geteuid():
        pytest.skip("needs root")
    if user == "ordinary" and os.geteuid() == 0:
        argv = ["setpriv", "--reuid=1234", "--regid=1234", "--clear-groups", *argv]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        env = {"PYTHONPATH": str(SOURCE), "PATH": os.environ["PATH"]}
        place = f"{folder}/disk"
        done = subprocess.run([*argv, place], capture_output=True, text=True, check=False, cwd="/", env=env)
    if done.stdout.startswith("skip") or "Permission denied" in done.stderr or "No module" in done.stderr:
        pytest.skip(done.stdout + done.stderr[-200:])
    assert done.stdout.splitlines() == ["28", "True 1000", "[]"], done.stderr
