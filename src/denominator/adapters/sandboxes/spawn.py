"""Starts one command behind a gate: everything is set up, then the harness puts it under its limits, then it may run.

The last trusted step inside is a small shell script. It sets the resource limits, says "ready" on a control
socket (the kernel attaches its real process id), waits for "go", checks that the command exists, and becomes
the command. So "it never ran" is known from our own script and never guessed from an exit code, and no process
runs outside its limits for a moment.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["DEATH_S", "Order", "Spawned", "Streams", "rlimits", "spawn"]

INSIDE_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
DEATH_S = 20.0
READY, MISSING = b"ready\n", b"missing\n"
FD_MIN = 10  # the descriptors that we pass stay clear of 3, where the report belongs


def script(control: int, words: int, report: int | None, limits: Sequence[str]) -> str:
    """The gate. What it starts is in the file `words`, for the command line of the first process inside stays readable.

    The words are: the folder to start in, the command's PATH, the command; then NAME=VALUE ... and the command again for `env`.
    """
    report_to = f" 3>&{report} {report}>&-" if report is not None else ""
    return (
        f"{' && '.join(limits)} || {{ echo 'a resource limit cannot be set' >&2; exit 125; }}\n"
        f"mapfile -d '' -t -u {words} w && exec {words}<&- && cd -- \"${{w[0]}}\" || exit 125\n"
        f"echo ready >&{control}; read -r -u {control} go || exit 125\n"
        'c=${w[2]}; if [[ $c == */* ]]; then [[ -f $c && -x $c ]]; else PATH=${w[1]} type -P -- "$c" >/dev/null; fi ||\n'
        f'{{ echo "$c: there is no such command in the sandbox" >&2; echo missing >&{control}; exit 127; }}\n'
        f'exec env -i "${{w[@]:3}}"{report_to} {control}>&-\n'
    )


def rlimits(*, file_bytes: int, open_files: int, processes: int | None, address_bytes: int | None) -> list[str]:
    """The limits as words of the script; more open files than this process may have cannot be given."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = open_files if hard == resource.RLIM_INFINITY else min(open_files, hard)
    words = ["ulimit -HSc 0", f"ulimit -HSn {files}", f"ulimit -HSf {-(-file_bytes // 1024)}"]
    if processes is not None:
        words.append(f"ulimit -HSu {processes}")
    if address_bytes is not None:
        words.append(f"ulimit -HSv {-(-address_bytes // 1024)}")
    return words


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to start: bubblewrap ("" for none), its options, what drops the uid, the command, its environment.

    `supervisor` is a command line of our own in the place of bubblewrap's.
    """

    bwrap: str
    options: Sequence[str]
    drop: Sequence[str]
    limits: Sequence[str]
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str = "/"
    stdin: bytes = b""
    report: bool = False
    supervisor: Sequence[str] = ()


@dataclass(slots=True)
class Streams:
    """The harness's ends of the pipes, not blocking; -1 when there is none."""

    stdin: int = -1
    stdout: int = -1
    stderr: int = -1
    report: int = -1

    def close(self) -> None:
        for name in ("stdin", "stdout", "stderr", "report"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)


@dataclass(slots=True, kw_only=True)
class Spawned:
    """A started sandbox. Its outer, first inner and command process are held by descriptors, never by number.

    A supervisor ends all of it when its `lifeline` is closed; it must not be killed itself, for then nobody would.
    """

    process: subprocess.Popen[bytes]
    control: socket.socket
    streams: Streams
    outer: int
    inner: int = -1
    command: int = -1
    command_pid: int = 0
    direct: bool = False
    lifeline: socket.socket | None = None
    _closed: bool = field(default=False)

    @property
    def pid(self) -> int:
        """The outer process."""
        return self.process.pid

    def ready(self, timeout_s: float) -> bool | None:
        """Wait for the gate; None when it is not there yet, False when it will never be."""
        if not _readable(self.control.fileno(), timeout_s):
            return None
        with contextlib.suppress(OSError):
            data, notes, _, _ = self.control.recvmsg(64, socket.CMSG_SPACE(12))
            if data.startswith(READY) and notes:
                self.command_pid = struct.unpack("3i", notes[0][2][:12])[0]
                self.command = os.pidfd_open(self.command_pid)
                if not self.direct:  # else the parent is this very process
                    self.inner = os.pidfd_open(_parent(self.command_pid))
                return True
        return False

    def go(self) -> None:
        """Open the gate."""
        with contextlib.suppress(OSError):
            self.control.send(b"go\n")

    def was_missing(self) -> bool:
        """Did the gate find no such command? Ask after the end."""
        self.control.setblocking(False)
        with contextlib.suppress(OSError):
            return self.control.recv(64).startswith(MISSING)
        return False

    def kill(self) -> None:
        """Send SIGKILL to what is known to run; the first inner process takes its whole namespace along."""
        if self.lifeline:
            self.lifeline.close()
            return
        for number in (self.inner, self.command):
            if number >= 0:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(number, signal.SIGKILL)
        if self.direct and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)  # not reaped yet: the number is still its own

    def ended(self, patience_s: float) -> bool:
        """Wait until all is dead, the outer process last.

        Before the gate answered nothing is killed: an outer process that dies early leaves an inner one waiting for
        ever. The gate ends by itself when the control socket closes.
        """
        if self.inner < 0 and not self.direct:
            self.control.close()
        elif not self.direct and not _readable(self.inner, patience_s):
            return False
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Close every descriptor; what was interrupted before its end is ended first."""
        if not self._closed:
            self._closed = True
            if self.process.poll() is None:
                self.kill()
                self.ended(DEATH_S)
            self.streams.close()
            self.control.close()
            if self.lifeline:
                self.lifeline.close()
            for number in (self.outer, self.inner, self.command):
                if number >= 0:
                    os.close(number)


def _readable(number: int, timeout_s: float) -> bool:
    """Poll, for select knows no descriptor above 1023."""
    poll = select.poll()
    poll.register(number, select.POLLIN)
    return bool(poll.poll(timeout_s * 1000))


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])


def _high(number: int) -> int:
    """The same open file under a number of at least `FD_MIN`; the old number is closed."""
    if number >= FD_MIN:
        return number
    moved = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, FD_MIN)
    os.close(number)
    return moved


def _pipe(streams: Streams, name: str, *, harness_reads: bool = True) -> int:
    """A pipe; our end goes to `streams`, the other is returned."""
    read_end, write_end = os.pipe2(os.O_CLOEXEC)
    ours, theirs = (read_end, write_end) if harness_reads else (write_end, read_end)
    os.set_blocking(ours, False)
    setattr(streams, name, ours)
    return theirs


def memory_file(data: bytes) -> int:
    """A file in memory, rewound; each sandbox needs its own, for the position is shared."""
    number = _high(os.memfd_create("denominator", os.MFD_CLOEXEC))
    os.write(number, data)
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _zeroed(words: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(word) + b"\0" for word in words)


def _words(order: Order) -> bytes:
    env = [f"{name}={value}" for name, value in order.env.items()]
    return _zeroed([order.cwd, order.env.get("PATH", INSIDE_PATH), order.argv[0], *env, *order.argv])


def spawn(order: Order, passed: Sequence[int], lifeline: socket.socket | None = None) -> Spawned:
    """Start it and return at once; `passed` are descriptors named in the options. They stay open here."""
    streams = Streams()
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    with contextlib.ExitStack() as failed, contextlib.ExitStack() as theirs_end:
        failed.callback(control.close)
        failed.callback(streams.close)

        def given(number: int) -> int:
            theirs_end.callback(os.close, number)
            return number

        gate_end = given(_high(theirs.detach()))
        words = given(memory_file(_words(order)))
        report = given(_high(_pipe(streams, "report"))) if order.report else None
        stdin = given(_pipe(streams, "stdin", harness_reads=False) if order.stdin else os.open(os.devnull, os.O_RDONLY))
        stdout, stderr = given(_pipe(streams, "stdout")), given(_pipe(streams, "stderr"))
        inherited = [gate_end, words, *passed, *([] if report is None else [report])]
        command = ["bash", "-c", script(gate_end, words, report, order.limits), "gate"]
        if order.bwrap:
            options = given(memory_file(_zeroed(order.options)))
            inherited.append(options)
            command = [order.bwrap, "--args", str(options), "--", *order.drop, *command]
        process = subprocess.Popen(
            [*order.supervisor, *command],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env={},  # the first process inside keeps this environment: nothing of ours may be in it
            pass_fds=inherited,
            start_new_session=True,
            cwd="/",
        )
        failed.pop_all()
    outer = os.pidfd_open(process.pid)
    direct = not (order.bwrap or order.supervisor)
    return Spawned(process=process, control=control, streams=streams, outer=outer, direct=direct, lifeline=lifeline)


def wait_ready(spawned: Spawned, patience_s: float, stopped: Callable[[], bool]) -> bool:
    """Wait until the gate answers; False when it never will, the patience ends, or `stopped()` says so."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline and not stopped():
        answer = spawned.ready(0.1)
        if answer is not None:
            return answer
    return False
