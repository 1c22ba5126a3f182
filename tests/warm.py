"""`denominator` as a process of its own without the half second in which it reads its package.

A fork of a process that has read it already (`warm_server.py`): own pid, session, streams, environment, signals and ending,
so that it can be killed, mounted into and waited for like any other. Two such processes take turns, and their sets and
dictionaries are ordered by different hash seeds: what depends on that order differs from one command to the next.
Whoever tests the start itself, another interpreter, another PYTHONPATH or the encoding of its streams starts a real one.
"""

from __future__ import annotations

import array
import atexit
import itertools
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

OF_THE_START = ("PYTHON", "LANG", "LC_", "COVERAGE")
"""Variables that an interpreter reads when it starts."""
TURNS = itertools.count()


class Server:
    """One process that forks, and what it has said about its forks."""

    def __init__(self, seed: str) -> None:
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.ended: dict[int, int] = {}
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("warm_server.py")), str(theirs.fileno())],
            env=os.environ | {"PYTHONHASHSEED": seed},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        atexit.register(self.close)

    def close(self) -> None:
        """Nothing more is started; what runs goes on."""
        self.channel.close()
        self.process.wait()

    def start(self, order: Mapping[str, Any], streams: Sequence[int]) -> int:
        """The pid of a new fork."""
        fds = array.array("i", streams).tobytes()
        self.channel.sendmsg([json.dumps(order).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
        while (pid := self._hear()) == 0:
            pass
        return pid

    def status(self, pid: int, timeout_s: float | None) -> int | None:
        """How a fork ended, once; None while it has not."""
        while pid not in self.ended:
            if not select.select([self.channel], [], [], timeout_s)[0]:
                return None
            self._hear()
        return self.ended.pop(pid)

    def _hear(self) -> int:
        said = json.loads(self.channel.recv(4096) or b'{"began": -1}')
        if "ended" in said:
            self.ended[said["ended"]] = said["status"]
            return 0
        if said["began"] < 0:
            raise RuntimeError(f"the warm process ended: {self.process.wait()}")
        return int(said["began"])


@cache
def server(turn: int) -> Server:
    """One of the two, started when first needed."""
    return Server(str(turn + 1))


class Denominator(subprocess.Popen[Any]):
    """`python -m denominator` with these arguments, started warm where nothing asks for a real start."""

    def __init__(self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], **more: Any) -> None:
        self.server = server(next(TURNS) % 2)
        super().__init__([sys.executable, "-m", "denominator", *argv], cwd=cwd, env=env, **more)

    def _execute_child(self, args: Any, executable: Any, *more: Any) -> None:
        """As in the standard library, but that a fork of the server takes the streams."""
        _preexec, _close_fds, _pass_fds, cwd, env, _info, _flags, _shell, *ends = more
        (
            p2cread,
            p2cwrite,
            c2pread,
            c2pwrite,
            errread,
            errwrite,
            _restore,
            _gid,
            _gids,
            _uid,
            _umask,
            new_session,
            _group,
        ) = ends
        streams = [end if end >= 0 else number for number, end in enumerate((p2cread, c2pwrite, errwrite))]
        order = {"argv": args[3:], "cwd": os.fspath(cwd), "env": dict(env), "new_session": bool(new_session)}
        self.pid = self.server.start(order, streams)
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        status = self.server.status(self.pid, 0 if wait_flags & os.WNOHANG else None)
        return (0, 0) if status is None else (self.pid, status)

    def _internal_poll(self, _deadstate: int | None = None, **_: Any) -> int | None:
        if self.returncode is None and self._waitpid_lock.acquire(False):  # type: ignore[attr-defined]
            try:
                status = self.server.status(self.pid, 0)
                if status is not None:
                    self.returncode = os.waitstatus_to_exitcode(status)
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


def denominator(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], **more: Any) -> subprocess.Popen[Any]:
    """`denominator` with these arguments as a process: warm, or really started where the environment speaks to its start."""
    if any(name.startswith(OF_THE_START) and env.get(name) != os.environ.get(name) for name in {*env, *os.environ}):
        return subprocess.Popen([sys.executable, "-m", "denominator", *argv], cwd=cwd, env=env, **more)
    return Denominator(argv, cwd=cwd, env=env, **more)
