"""Answers for calls that name an address: the supervisor does them itself, on a copy of the address, or refuses.

Reached are sockets below what the job was shown, and ports of the loopback on which this sandbox itself listens, and nobody
else: the kernel's list of listeners is asked each time. A link on the way to a socket is refused, so nothing that a command
made can point outside. Only a local `bind` is left to the caller, who may exchange what it names after the look: Landlock
refuses what else it could then be.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from denominator.adapters.sandboxes.landlock import calls

__all__ = ["Doorkeeper"]

RECEIVE, ANSWER, STILL_VALID = 0xC0502100, 0xC0182101, 0x40082102
CONTINUE = 1
PIDFD_THREAD = os.O_EXCL
ADDRESS_MAX = 128
BACKLOG_MAX = 4096
LISTENS = "0A"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A call that waits: which thread asked, which call it is and with what."""

    id: int
    thread: int
    call: int
    words: tuple[int, ...]


@dataclass(slots=True)
class Doorkeeper:
    """`listener` is where calls arrive, `shown` the open folders or sockets by the path that the command knows."""

    listener: int
    asked: Mapping[int, str]
    shown: Mapping[str, int]
    _listening: set[int] = field(default_factory=set)

    def next(self) -> Question | None:
        """The call that waits; None when its thread is gone."""
        buffer = bytearray(80)
        try:
            fcntl.ioctl(self.listener, RECEIVE, buffer)
        except OSError:
            return None
        number, thread, _, call, _, _, *words = struct.unpack("=QIIiIQ6Q", buffer)
        return Question(id=number, thread=thread, call=call, words=tuple(words))

    def answer(self, question: Question) -> None:
        """Do it or refuse; waits as long as the call does."""
        error, flags = 0, 0
        try:
            process = os.pidfd_open(question.thread, PIDFD_THREAD)
            with contextlib.closing(_Number(process)), self._socket(process, question) as its:
                flags = self._do(self.asked[question.call], question, its)
        except OSError as failed:
            error = failed.errno or errno.EPERM
        with contextlib.suppress(OSError):
            fcntl.ioctl(self.listener, ANSWER, struct.pack("=QqiI", question.id, 0, -error, flags))

    def _socket(self, process: int, question: Question) -> socket.socket:
        return socket.socket(fileno=calls.same_file(process, question.words[0] & 0xFFFFFFFF))

    def _do(self, what: str, question: Question, its: socket.socket) -> int:
        """The flags of the answer. A local `bind` only makes a name, which Landlock looks at."""
        if what == "listen":
            if its.family == socket.AF_INET and its.getsockname()[0] != LOOPBACK:
                raise OSError(errno.EACCES, "listens on no port of the loopback")
            self._still_valid(question)
            its.listen(min(question.words[1] & 0xFFFFFFFF, BACKLOG_MAX))
            self._listening.add(os.fstat(its.fileno()).st_ino)
            return 0
        if its.family == socket.AF_UNIX:
            if what == "bind":
                return CONTINUE
            self._reach(its, _path(self._address(question)), question.thread)
        else:
            self._loopback(what, its, self._address(question))
        return 0

    def _address(self, question: Question) -> bytes:
        length = min(question.words[2] & 0xFFFFFFFF, ADDRESS_MAX)
        with open(f"/proc/{question.thread}/mem", "rb", 0) as memory:  # noqa: PTH123 - a process, not a file
            memory.seek(question.words[1])
            data = memory.read(length)
        self._still_valid(question)
        return data

    def _still_valid(self, question: Question) -> None:
        """Raises OSError when the thread is gone, whose number may be another's by now."""
        fcntl.ioctl(self.listener, STILL_VALID, struct.pack("=Q", question.id))

    def _loopback(self, what: str, its: socket.socket, address: bytes) -> None:
        family, port = struct.unpack_from("=H", address)[0], struct.unpack_from("!H", address, 2)[0]
        if family != socket.AF_INET or socket.inet_ntoa(address[4:8]) != LOOPBACK:
            raise OSError(errno.ENETUNREACH, "no network")
        if what == "bind":
            if 0 < port < 1024:
                raise OSError(errno.EACCES, "a port of the system")
            its.bind((LOOPBACK, port))
        elif (found := _listeners(port)) and found <= self._listening:
            its.connect((LOOPBACK, port))
        else:
            raise OSError(errno.ECONNREFUSED, "nobody of this sandbox listens there")

    def _reach(self, its: socket.socket, path: str, thread: int) -> None:
        if not path.startswith("/"):
            path = f"{Path(f'/proc/{thread}/cwd').readlink()}/{path}"
        pure = PurePosixPath(path)
        for place in (pure, *pure.parents):
            if str(place) in self.shown:
                rest = str(pure.relative_to(place))
                number = self.shown[str(place)]
                opened = os.dup(number) if rest == "." else calls.open_beneath(number, rest)
                with contextlib.closing(_Number(opened)):
                    its.connect(f"/proc/self/fd/{opened}")
                return
        raise OSError(errno.EACCES, "no socket of this job")


@dataclass(frozen=True, slots=True)
class _Number:
    """A descriptor that can be closed by name."""

    number: int

    def close(self) -> None:
        os.close(self.number)


def _listeners(port: int) -> set[int]:
    """The inodes of the sockets of this machine that listen on a port, of whatever address."""
    found = set()
    for table in (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6")):
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            words = line.split()
            if words[3] == LISTENS and int(words[1].rpartition(":")[2], 16) == port:
                found.add(int(words[9]))
    return found


def _path(address: bytes) -> str:
    """The path of a local address. Names without a path belong to other processes of the machine."""
    if len(address) < 3 or struct.unpack_from("=H", address)[0] != socket.AF_UNIX or address[2] == 0:
        raise OSError(errno.EACCES, "no path")
    return os.fsdecode(address[2:].split(b"\0")[0])
