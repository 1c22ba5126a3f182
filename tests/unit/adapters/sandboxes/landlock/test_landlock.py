"""The weak sandbox passes the public suite but for what its facts say; what gets out of it is nothing but what they name."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.facts import NAMES
from denominator.adapters.sandboxes.landlock import calls
from denominator.adapters.sandboxes.landlock.backend import Landlock
from denominator.adapters.sandboxes.landlock.facts import OWN_NAMES
from denominator.errors import MachineError
from denominator.ports import Job
from denominator.records.envelopes import SandboxTerms
from denominator.testing.sandbox_suite import BASIC, ISOLATION, LIMITS

HERE = Path(__file__).parent
SOURCE = Path(__file__).parents[5] / "src"
PYTHON = "/usr/bin/python3"
DROP = (
    "setpriv",
    "--reuid=64190",
    "--regid=64190",
    "--clear-groups",
)  # nobody else: processes of one user share a limit
needs_landlock = pytest.mark.skipif(
    calls.abi() < calls.LEAST_ABI, reason=f"Landlock of this kernel is ABI {calls.abi()}, {calls.LEAST_ABI} is needed"
)

WEAKER = {
    "host_is_not_visible": "pid_namespace: the processes of the machine have names and command lines",
    "system_is_read_only": "there is no private /dev/shm, and the machine's own is closed",
    "phases_share_nothing": "queues and shared memory are refused, so that nothing could be left there",
}
"""The checks of the suite that a sandbox without namespaces cannot hold, and why."""
ABSENT = {"root": {"pid_namespace"}, "user": {"pid_namespace", "separate_uids", "metadata_outside", "memory_limit"}}
"""What its facts must say that does not hold. Memory in sum is limited where a control group may be made."""


def apart(program: str, as_user: bool, *words: str) -> dict[str, object]:
    """What a program of this folder says, as this user or as an ordinary one."""
    prefix = DROP if as_user and os.geteuid() == 0 else ()
    if prefix and subprocess.run([*prefix, "test", "-r", str(SOURCE / "denominator/ports.py")]).returncode:
        pytest.skip("an ordinary user cannot read this checkout")
    argv = [*prefix, PYTHON, "-S", "-B", "-c", (HERE / program).read_text(), *words]
    env = {"PATH": os.defpath, "TMPDIR": "/tmp", "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(argv, capture_output=True, text=True, cwd="/", env=env)
    assert done.returncode == 0, done.stderr
    said: dict[str, object] = json.loads(done.stdout)
    return said


@needs_landlock
@pytest.mark.e2e
@pytest.mark.parametrize(
    "who",
    [
        pytest.param("root", marks=pytest.mark.needs_root),
        "user",
    ],
)
def test_the_suite_holds_but_for_what_the_facts_say(who: str) -> None:
    if who == "root" and os.geteuid() != 0:
        pytest.skip("uids are dropped by root only")
    said = apart("suite_here.py", who == "user")
    assert said["usable"] == ""
    assert set(said["absent"]) - {"memory_limit"} == ABSENT[who] - {"memory_limit"}  # type: ignore[call-overload]
    assert said["mode"] == f"weak, {who}"
    found: dict[str, list[str]] = said["found"]  # type: ignore[assignment]
    assert set(found) == {check.__name__ for check in (*BASIC, *ISOLATION)}
    assert {name: words for name, words in found.items() if words and name not in WEAKER} == {}
    assert {name for name, words in found.items() if words} == WEAKER.keys() & found.keys()


@needs_landlock
def test_what_an_ordinary_user_reaches() -> None:
    """The harness's own user: nothing but Landlock and the filter stands between."""
    said = apart("reach_here.py", True)
    own = {name: said.pop(name) for name in [each for each in said if each.startswith(("own_", "given_"))]}
    assert own == dict.fromkeys(("own_port", "own_socket", "own_shared_port"), "hello") | dict.fromkeys(
        ("own_priority", "own_processors", "given_socket"), "done"
    )
    assert {name: word for name, word in said.items() if not str(word).startswith("refused")} == {}
    assert len(said) >= 20


@needs_landlock
def test_what_is_tried_works_without_a_sandbox() -> None:
    """The same program in no sandbox: each attempt is alive."""
    said = apart("reach_here.py", True, "bare")
    kept = {"other_limits", "far"}  # nobody answers far away, and the harness of this test may have no limit to take
    assert [name for name, word in said.items() if str(word).startswith("refused") and name not in kept] == []


@needs_landlock
def test_a_killed_harness_leaves_no_process(tmp_path: Path) -> None:
    mark = f"9{secrets.randbelow(10**9):09d}"
    script = f"(setsid sh -c 'sleep {mark} & sleep {mark}' &) ; sh -c 'sleep {mark} & exec sleep {mark}' & sleep {mark}"
    program = (
        "import sys; sys.path[:0] = [sys.argv[1]]\n"
        "from denominator.adapters.sandboxes.landlock.backend import Landlock\n"
        "from denominator.ports import Job\nfrom denominator.testing.sandbox_suite import LIMITS\n"
        "Landlock().run(Job(argv=('sh', '-c', sys.argv[2]), role='agent', limits=LIMITS))"
    )
    harness = subprocess.Popen([sys.executable, "-I", "-S", "-c", program, str(SOURCE), script])
    try:
        assert soon(lambda: len(naming(mark)) >= 5)
    finally:
        harness.send_signal(signal.SIGKILL)
        harness.wait()
    assert soon(lambda: naming(mark) == [])


def naming(mark: str) -> list[int]:
    """Processes with this word on their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def soon(true: object) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if true():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


@needs_landlock
def test_a_hidden_folder_is_closed_and_its_neighbours_are_not(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    for name in ("lib/shown", "lib/pack/hidden"):
        (tools / name).mkdir(parents=True)
        (tools / name / "word").write_text(name)
    (tools / "lib/way").symlink_to(tools / "lib/pack")
    (tools / "bin").mkdir()
    (tools / "bin/python3").symlink_to(PYTHON)
    if os.geteuid() == 0:
        for each in (tmp_path, *tmp_path.parents):
            if each.is_relative_to(tempfile.gettempdir()) and each != Path(tempfile.gettempdir()):
                each.chmod(each.stat().st_mode | 0o011)
    box = Landlock(python=str(tools / "bin/python3"), hidden=[tools / "lib/pack"])
    script = f"cd {tools}/lib; cat shown/word; cat pack/hidden/word; cat way/hidden/word"
    ended = box.run(Job(argv=("sh", "-c", script), role="agent", limits=LIMITS))
    box.close()
    assert ended.stdout == b"lib/shown" and ended.stderr.count(b"Permission denied") == 2, ended


@pytest.mark.parametrize(
    ("abi", "why"), [(0, "has no Landlock"), (1, "is ABI 1; 6 (Linux 6.12)"), (5, "is ABI 5; 6 (Linux 6.12)")]
)
def test_an_old_kernel_is_told_and_runs_nothing(abi: int, why: str) -> None:
    box = Landlock(abi=abi)
    facts = box.facts(SandboxTerms())
    assert not facts.usable and why in facts.why_not and facts.weak
    assert [each.name for each in facts.protections if not each.holds] == [*NAMES, *OWN_NAMES]
    with pytest.raises(MachineError, match="Landlock"):
        box.run(Job(argv=("true",), role="agent", limits=LIMITS))
