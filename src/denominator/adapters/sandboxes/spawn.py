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
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Order", "Spawned", "Streams", "rlimits", "spawn"]

INSIDE_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"
READY, MISSING = b"ready\n", b"missing\n"
FD_MIN = 10  # the descriptors that we pass stay clear of 3, where the report belongs


def script(control: int, report: int | None, limits: Sequence[str]) -> str:
    """The gate. $1 is the folder to start in, $2 the command's PATH, $3 the command, the rest is for `env -i`."""
    report_to = f" 3>&{report} {report}>&-" if report is not None else ""
    return (
        f"{' && '.join(limits)} || {{ echo 'a resource limit cannot be set' >&2; exit 125; }}\n"
        'cd -- "$1" || exit 125\n'
        f"echo ready >&{control}; read -r -u {control} go || exit 125\n"
        'if [[ $3 == */* ]]; then [[ -f $3 && -x $3 ]]; else PATH=$2 type -P -- "$3" >/dev/null; fi ||\n'
        f'{{ echo "$3: there is no such command in the sandbox" >&2; echo missing >&{control}; exit 127; }}\n'
        f'shift 3; exec env -i "$@"{report_to} {control}>&-\n'
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
    """What to start: bubblewrap ("" for none), its options, what drops the uid, the command, its environment."""

    bwrap: str
    options: Sequence[str]
    drop: Sequence[str]
    limits: Sequence[str]
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str = "/"
    stdin: bytes = b""
    report: bool = False


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
    """A started sandbox. Its outer, first inner and command process are held by descriptors, never by number."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    streams: Streams
    outer: int
    inner: int = -1
    command: int = -1
    command_pid: int = 0
    direct: bool = False
    _closed: bool = field(default=False)

    def ready(self, timeout_s: float) -> bool | None:
        """Wait for the gate; None when it is not there yet, False when it will never be."""
        if not select.select([self.control], [], [], timeout_s)[0]:
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

    def close(self) -> None:
        """Close every descriptor; the processes must be dead."""
        if not self._closed:
            self._closed = True
            self.streams.close()
            self.control.close()
            for number in (self.outer, self.inner, self.command):
                if number >= 0:
                    os.close(number)


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


def spawn(order: Order, passed: Sequence[int]) -> Spawned:
    """Start it and return at once; `passed` are descriptors named in the options. They stay open here."""
    streams = Streams()
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    given = [_high(theirs.detach())]
    try:
        if order.report:
            given.append(_high(_pipe(streams, "report")))
        if order.bwrap:
            given.append(memory_file(b"\0".join(os.fsencode(word) for word in order.options) + b"\0"))
        stdin = _pipe(streams, "stdin", harness_reads=False) if order.stdin else os.open(os.devnull, os.O_RDONLY)
        ends = [stdin, _pipe(streams, "stdout"), _pipe(streams, "stderr")]
        given += ends
        gate = script(given[0], given[1] if order.report else None, order.limits)
        words = [f"{name}={value}" for name, value in order.env.items()]
        path = order.env.get("PATH", INSIDE_PATH)
        wrapper = [order.bwrap, "--args", str(given[-1 - len(ends)]), "--", *order.drop] if order.bwrap else []
        process = subprocess.Popen(
            [*wrapper, "bash", "-c", gate, "gate", order.cwd, path, order.argv[0], *words, *order.argv],
            stdin=ends[0],
            stdout=ends[1],
            stderr=ends[2],
            env={},  # the first process inside keeps this environment: nothing of ours may be in it
            pass_fds=(*passed, *given[: -len(ends)]),
            start_new_session=True,
            cwd="/",
        )
    except BaseException:
        streams.close()
        control.close()
        raise
    finally:
        for number in given:
            os.close(number)
    outer = os.pidfd_open(process.pid)
    return Spawned(process=process, control=control, streams=streams, outer=outer, direct=not order.bwrap)


def wait_ready(spawned: Spawned, patience_s: float, stopped: Callable[[], bool]) -> bool:
    """Wait until the gate answers; False when it never will, the patience ends, or `stopped()` says so."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline and not stopped():
        answer = spawned.ready(0.1)
        if answer is not None:
            return answer
    return False
