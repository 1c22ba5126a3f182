"""A process that has read our whole package and becomes `denominator` by forking: what `tests/warm.py` talks to.

One thread, no file but its socket, so a fork of it is what a fresh interpreter is after its imports.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import gc
import io
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import threading
from importlib import import_module
from typing import NoReturn

LEFT_OUT = (
    "denominator.__main__",
    "denominator.data",
    "denominator.adapters.agents.inside",
    "denominator.adapters.graders.kit",
)
ORDER_BYTES = 1 << 20


def warm() -> None:
    """Read every module of the package: none does anything but define."""
    import denominator

    for found in pkgutil.walk_packages(denominator.__path__, "denominator."):
        if not found.name.startswith(LEFT_OUT):
            try:
                import_module(found.name)
            except ImportError:  # an extra that is not installed here
                continue


def serve(channel: socket.socket) -> bool:
    """Fork at every order and say how forks ended, until the other side is gone (False), or in the fork itself (True)."""
    woken, waker = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([channel, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            _tell_ended(channel)
        if channel not in ready:
            continue
        data, streams = _order(channel)
        if not data:
            return False
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for one in (woken, waker, channel.detach()):
                os.close(one)
            _become(json.loads(data), streams)
            return True
        for one in streams:
            os.close(one)
        channel.send(json.dumps({"began": pid}).encode())


def _order(channel: socket.socket) -> tuple[bytes, list[int]]:
    data, ancillary, _, _ = channel.recvmsg(ORDER_BYTES, socket.CMSG_SPACE(3 * 4))
    streams = array.array("i")
    for _, _, held in ancillary:
        streams.frombytes(held[: len(held) - len(held) % streams.itemsize])
    return data, list(streams)


def _tell_ended(channel: socket.socket) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        channel.send(json.dumps({"ended": pid, "status": status}).encode())


def _become(order: dict, streams: list[int]) -> None:
    """Streams, place, environment and arguments of `python -m denominator`."""
    if order["new_session"]:
        os.setsid()
    for number, one in enumerate(streams):
        os.dup2(one, number)
    os.closerange(3, 1024)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    sys.argv = ["denominator", *order["argv"]]
    sys.path.insert(0, order["cwd"])
    for number, (name, mode, errors) in enumerate(
        (("stdin", "r", "strict"), ("stdout", "w", "strict"), ("stderr", "w", "backslashreplace"))
    ):
        stream = io.TextIOWrapper(
            open(number, f"{mode}b", closefd=False), encoding="utf-8", errors=errors, line_buffering=name == "stderr"  # noqa: SIM115
        )  # fmt: skip
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def leave(code: int) -> NoReturn:
    """The end of an interpreter but for the taking down of every module that was read."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run() -> int:
    """The command line, and the exit code of its interpreter."""
    from denominator.cli import main

    try:
        main()
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        return 1
    return 0


if __name__ == "__main__":
    warm()
    gc.freeze()
    if serve(socket.socket(fileno=int(sys.argv[1]))):
        leave(run())
