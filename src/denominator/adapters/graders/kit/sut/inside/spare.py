"""A process that is forked ahead and waits for one session: alone, silent, with nothing of the solution in it.

The next session need not wait for a fork. What it is forked from has never loaded the solution either, so it is as fresh as
one that is forked when it is asked for; only its folder is made when the session comes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

PATH_BYTES_MAX = 4096


class Spare:
    """`obey(socket)` is what it does with its session, `rehearse()` what it does before; `control` is closed in it.

    Raises OSError where it cannot be forked.
    """

    def __init__(
        self, control: socket.socket, obey: Callable[[socket.socket], None], rehearse: Callable[[], None] | None = None
    ) -> None:
        self.way, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self.pid = os.fork()
            except OSError:
                self.way.close()
                raise
            if not self.pid:
                control.close()
                self.way.close()
                become(theirs, obey, rehearse)

    def hand(self, fd: int, folder: str) -> bool:
        """Give it a session's socket and the name of its folder, once; False when it is dead."""
        with self.way:
            try:
                socket.send_fds(self.way, [os.fsencode(folder)], [fd])
            except OSError:
                return False
        return True

    def end(self) -> None:
        """Kill it and whatever it started in its group, and wait until it is dead."""
        self.way.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, signal.SIGKILL)
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def become(way: socket.socket, obey: Callable[[socket.socket], None], rehearse: Callable[[], None] | None) -> NoReturn:
    """Wait, go to the session's folder, do the session, end."""
    code = 1
    try:
        os.setsid()
        null = os.open("/dev/null", os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.close(null)
        if rehearse:
            rehearse()
            warm()
        data, fds = b"-", list[int]()
        while data and not fds:  # a word without a socket is no session: somebody else wrote it
            data, fds, _, _ = socket.recv_fds(way, PATH_BYTES_MAX, 1, socket.MSG_CMSG_CLOEXEC)
        way.close()
        if fds:
            folder = os.fsdecode(data)
            os.mkdir(folder, 0o700)
            os.chdir(folder)
            os.environ["HOME"] = os.environ["TMPDIR"] = folder
            obey(socket.socket(fileno=fds[0]))
            code = 0
    finally:
        os._exit(code)


def warm() -> None:
    """Do once what a session does first, so that the memory which that writes to is copied already. It leaves nothing."""
    compile("def name(value):\n    return [value, 1]\n", "", "exec", dont_inherit=True)
    ours, theirs = socket.socketpair()
    with ours, theirs, theirs.makefile("rb") as lines:
        ours.sendall(b"\n")
        lines.readline()
    with contextlib.suppress(ImportError):
        __import__("there_is_no_such_module")
