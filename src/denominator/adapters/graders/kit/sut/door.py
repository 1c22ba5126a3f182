"""The way to the solution's side: one control socket, and a socket of its own for each session.

On control go `new N` (with the session's socket attached) and `kill N`; nothing ever comes back on it, and no
descriptor is taken from the other side. So an answer can only reach the session that asked.
"""

# Paths are strings because pathlib would cost every grading milliseconds.

from __future__ import annotations

import itertools
import json
import os
import select
import socket
import sys
import threading
import time

from .values import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from typing import Any, NoReturn

LINE_BYTES_MAX = 1_000_000
TIMEOUT_S = 10.0
INSIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inside")


class Line:
    """One session's socket. Every failure closes it and raises `Broken`; deadlines are monotonic seconds."""

    def __init__(self, door: Door, number: int, ours: socket.socket) -> None:
        self.door, self.number, self.socket = door, number, ours
        self.is_open = True
        self.rest = bytearray()  # of what `one` has read
        ours.setblocking(False)

    def close(self) -> None:
        """End the session's processes; safe to call twice."""
        if self.is_open:
            self.is_open = False
            self.socket.close()
            self.door.kill(self.number)

    def fail(self, why: str) -> NoReturn:
        self.close()
        raise Broken(why)

    def send(self, data: bytes, deadline: float) -> None:
        while data:
            if not wait(self.socket, select.POLLOUT, deadline):
                self.fail("timeout: the solution does not read")
            try:
                data = data[self.socket.send(data) :]
            except BlockingIOError:
                continue
            except OSError:
                self.fail("the solution's process died")

    def take(self, deadline: float) -> bytes:
        """The next bytes; b"" at the end."""
        if not wait(self.socket, select.POLLIN, deadline):
            self.fail("timeout: no answer")
        try:
            return self.socket.recv(65536)
        except OSError:
            return b""

    def line(self, deadline: float, room: int = LINE_BYTES_MAX) -> bytes:
        """One line, and nothing behind it."""
        found = self.one(deadline, room)
        if found is None:
            self.fail("timeout: no answer")
        if self.rest:
            self.fail("the solution sent more than one answer")
        return found

    def one(self, deadline: float, room: int = LINE_BYTES_MAX) -> bytes | None:
        """The next line of several; None when none is whole in time."""
        end = self.rest.find(b"\n")
        while end < 0:
            if len(self.rest) > room:
                self.fail("the answer is too long")
            if not wait(self.socket, select.POLLIN, deadline):
                return None
            chunk = self.take(deadline)
            if not chunk:
                self.fail("the solution's process died")
            known = len(self.rest)
            self.rest += chunk
            end = self.rest.find(b"\n", known)
        line = bytes(self.rest[:end])
        del self.rest[: end + 1]
        return line

    def is_quiet(self) -> bool:
        """Has nothing come that nobody asked for?"""
        return not self.rest and not wait(self.socket, select.POLLIN, 0.0)


class Door:
    """The control socket, and for a local side the process behind it."""

    def __init__(self, control: socket.socket, process: subprocess.Popen[bytes] | None = None) -> None:
        self.control, self.process = control, process
        self.numbers = itertools.count(1)
        control.setblocking(False)

    def open(self, spec: dict[str, Any]) -> Line:
        """Start a session: its first line says what is wanted."""
        number = next(self.numbers)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        line = Line(self, number, ours)
        with theirs:
            if not self.tell(f"new {number}", [theirs]):
                line.fail("the solution's side is gone")
        where = {"dir": os.path.abspath(os.environ.get("SUT_DIR") or os.getcwd())} if self.process else {}
        site = os.environ.get("SUT_SITE") == "1"
        line.send(json.dumps({**spec, **where, "site": site}).encode() + b"\n", time.monotonic() + TIMEOUT_S)
        return line

    def kill(self, number: int) -> None:
        self.tell(f"kill {number}", [])

    def tell(self, text: str, sockets: list[socket.socket]) -> bool:
        if not wait(self.control, select.POLLOUT, time.monotonic() + TIMEOUT_S):
            return False
        try:
            socket.send_fds(self.control, [text.encode()], [each.fileno() for each in sockets])
        except OSError:
            return False
        return True

    def shut(self) -> None:
        """End a local side."""
        self.control.close()
        if self.process:
            self.process.wait()


def wait(sock: socket.socket, event: int, deadline: float) -> bool:
    poll = select.poll()
    poll.register(sock, event)
    return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))


_lock = threading.Lock()
_doors: list[Door] = []


def door() -> Door:
    """The one that the runner was given (`SUT_DOOR`), else a process beside this one."""
    with _lock:
        if not _doors:
            given = os.environ.get("SUT_DOOR")
            _doors.append(Door(socket.socket(fileno=int(given))) if given else _local())
    return _doors[0]


def _local() -> Door:
    import atexit
    import subprocess

    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-S",
                "-B",
                "-X",
                "utf8",
                os.path.join(INSIDE, "main.py"),
                "local",
                str(theirs.fileno()),
            ],
            env={"TMPDIR": os.environ.get("TMPDIR") or "/tmp"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    made = Door(control, process)
    atexit.register(made.shut)
    return made
