"""What the sandbox can promise on this machine: tried, not believed. A protection that is not there says so."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from denominator.adapters.sandboxes import probes
from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.layout import own_package
from denominator.adapters.sandboxes.removal import remove_tree
from denominator.adapters.sandboxes.workspaces import Workspaces
from denominator.errors import DenominatorError
from denominator.ports import Ended, Job, Limits, Sandbox
from denominator.records.boxes import Protection, SandboxFacts
from denominator.records.envelopes import SandboxTerms

__all__ = ["NAMES", "find"]

NAMES = (
    "no_network",
    "pid_namespace",
    "private_proc",
    "separate_uids",
    "no_capabilities",
    "no_new_privileges",
    "seccomp",
    "userns_closed",
    "memory_limit",
    "process_limit",
    "disk_limit",
    "file_size_limit",
    "output_cap",
    "open_files",
    "all_dead_at_end",
    "dies_with_harness",
    "toolchain_executable",
)
MEMORY = 128 << 20
LIMITS = Limits(
    wall_s=20,
    memory_bytes=MEMORY,
    processes=24,
    disk_bytes=16 << 20,
    file_bytes=1 << 20,
    open_files=128,
    output_bytes=65536,
)


class Tried(Sandbox, Protocol):
    """What is asked of the sandbox whose facts are found."""

    bwrap: str
    as_user: bool
    private_why: str
    workspaces: Workspaces

    @property
    def cgroups(self) -> Cgroups: ...


@dataclass(slots=True)
class Trial:
    """The trials of one sandbox, in a temporary folder."""

    sandbox: Tried
    python: str
    base: Path

    def run(self, *argv: str, workdir: Path | None = None, report: bool = False) -> Ended:
        return self.sandbox.run(Job(argv=argv, role="agent", limits=LIMITS, workdir=workdir, report=report))

    @contextlib.contextmanager
    def workspace(self, name: str) -> Iterator[Path]:
        folder = self.sandbox.workspace(self.base / name, role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
        try:
            yield folder
        finally:
            self.sandbox.discard(folder)

    def seen(self) -> tuple[Ended, dict[str, Any]]:
        """What a program inside sees and can do, with a listener outside for it to reach."""
        with socket.socket() as listener, socket.socket(socket.AF_UNIX) as abstract:
            name = f"denominator-{secrets.token_hex(8)}"
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            abstract.bind(f"\0{name}")
            abstract.listen()
            port = str(listener.getsockname()[1])
            ended = self.run(self.python, "-I", "-S", "-c", probes.SELF, port, name, report=True)
        try:
            said: dict[str, Any] = json.loads(ended.report)
        except ValueError:
            said = {}
        return ended, said

    def memory(self) -> Ended:
        return self.run(self.python, "-I", "-S", "-c", probes.MEMORY, str(MEMORY))

    def disk(self) -> Ended:
        with self.workspace("disk") as folder:
            size = str(2 * LIMITS.disk_bytes)
            return self.run(self.python, "-I", "-S", "-c", probes.DISK, size, workdir=folder)

    def orphan_dies(self) -> bool:
        with self.workspace("orphan") as folder:
            self.run("sh", "-c", probes.ORPHAN, "sh", "0", workdir=folder)
            return _size(folder / "beat") > 0 and _still(folder / "beat", 0.1)

    def dies_with_harness(self) -> bool:
        """A harness of its own is killed with SIGKILL while a detached process of its sandbox writes a file."""
        folder = self.base / "harness"
        folder.mkdir(mode=0o700)
        self.sandbox.hand_over(folder, role="agent", slot=0)
        words = [sys.executable, "-I", "-S", "-c", probes.HARNESS, str(own_package().parent), str(folder)]
        harness = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            began = _soon(lambda: _size(folder / "beat") > 0, 20)
        finally:
            harness.kill()
            harness.wait()
        return began and _soon(lambda: _still(folder / "beat", 0.1), 5)


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def _still(path: Path, seconds: float) -> bool:
    before = _size(path)
    time.sleep(seconds)
    return _size(path) == before


def _soon(true: Callable[[], bool], patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.01)
    return False


def _version(program: str) -> str:
    if not program:
        return "missing"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _held(name: str, holds: bool, how: str, detail: str = "") -> Protection:
    return Protection(name=name, holds=holds, how=how if holds else f"not available: {how}", detail=detail)


def _seen_protections(sandbox: Tried, ended: Ended, said: Mapping[str, Any]) -> list[Protection]:
    """The protections that one look from inside decides."""
    words = said["words"]
    network = [str(said[name]) for name in ("loopback", "abstract", "vsock")]
    caps = {words[name] for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")}
    own_uid = said["uid"] not in (0, os.getuid())
    filtered = words["Seccomp"] == "2" and str(said["keyctl"]).startswith("refused")
    environ = str(said["first_environ"])
    return [
        _held(
            "no_network",
            said["interfaces"] == ["lo"] and all(word.startswith("refused") for word in network),
            "own network namespace; host loopback, abstract and vsock sockets refused",
            ", ".join(network),
        ),
        _held(
            "pid_namespace",
            said["pids"][0] == 1 and len(said["pids"]) <= 4 and (not environ or environ.startswith("refused")),
            "own pid namespace; no environment or command line of the harness is visible",
        ),
        _held(
            "private_proc",
            said["proc_sys_readonly"] and str(said["core_pattern"]).startswith("refused"),
            "/proc/sys is read-only",
        ),
        _held(
            "separate_uids",
            own_uid,
            f"setpriv to uid {said['uid']} for the agent of slot 0, another for each role and slot"
            if own_uid
            else "an ordinary user has one uid only",
        ),
        _held("no_capabilities", caps == {"0" * 16}, "all sets are empty"),
        _held("no_new_privileges", words["NoNewPrivs"] == "1", "no_new_privs is set"),
        _held("seccomp", filtered, "filter active" if filtered else "no filter for this machine's instruction set"),
        _held("userns_closed", said["nested"] == "refused", "a user namespace inside is refused"),
        _held("file_size_limit", said["file"] <= LIMITS.file_bytes, "rlimit, per file"),
        _held("open_files", said["handles"] < LIMITS.open_files, "rlimit, per process"),
        _held("output_cap", ended.output_truncated and len(ended.stdout) == LIMITS.output_bytes, "harness"),
        _processes(sandbox, said["forks"]),
    ]


def _processes(sandbox: Tried, forks: int) -> Protection:
    group = sandbox.cgroups.pids
    how = f"cgroup v{group[1]}, threads included" if group else "rlimit, per uid"
    return _held("process_limit", forks < LIMITS.processes, how, f"{forks} forks under a limit of {LIMITS.processes}")


def _memory(sandbox: Tried, ended: Ended) -> Protection:
    group = sandbox.cgroups.memory
    if group:
        return _held("memory_limit", ended.oom, f"cgroup v{group[1]}")
    return _held("memory_limit", False, f"rlimit only, per process ({sandbox.cgroups.why_not})")


def _disk(sandbox: Tried, ended: Ended) -> Protection:
    if sandbox.workspaces.private:
        return _held("disk_limit", ended.exit_code == 3, "sized tmpfs in private mounts")
    held = ended.killed_by == "budget_disk"
    return _held("disk_limit", held, "polled", sandbox.private_why)


def _protections(trial: Trial) -> tuple[list[Protection], str]:
    sandbox = trial.sandbox
    ended, said = trial.seen()
    if not said:
        words = ended.start_error or ended.stderr.decode("utf-8", "replace").strip() or f"exit {ended.exit_code}"
        return [_held(name, False, "not tried, nothing runs in the sandbox") for name in NAMES], (
            f"{trial.python} does not run in the sandbox: {words[-500:]}"
        )
    found = _seen_protections(sandbox, ended, said)
    found += [
        _memory(sandbox, trial.memory()),
        _disk(sandbox, trial.disk()),
        _held("all_dead_at_end", trial.orphan_dies(), "the pid namespace and the control group are killed"),
        _held("dies_with_harness", trial.dies_with_harness(), "a harness was killed with SIGKILL"),
        _held("toolchain_executable", True, f"{trial.python} ran under the sandbox's uid"),
    ]
    order = {name: place for place, name in enumerate(NAMES)}
    return sorted(found, key=lambda each: order[each.name]), ""


def find(sandbox: Tried, terms: SandboxTerms) -> SandboxFacts:
    """Try every protection; about a second."""
    base = Path(tempfile.mkdtemp(prefix="denominator-facts-"))
    try:
        found, why_not = _protections(Trial(sandbox, terms.python, base))
    except DenominatorError as error:
        found, why_not = [_held(name, False, "not tried") for name in NAMES], str(error)
    finally:
        remove_tree(base)
    return SandboxFacts(
        name=sandbox.name,
        version=_version(sandbox.bwrap),
        mode="user" if sandbox.as_user else "root",
        usable=not why_not,
        protections=tuple(found),
        why_not=why_not,
    )
