"""`python -m denominator.adapters.gateway.proxy FD`: one run's gateway, told everything on the descriptor FD.

It ends at once when the other end of FD is gone; signals of a terminal are the runner's business. Nothing is printed or
logged: rows are the record, and an error's text could name what is secret.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import resource
import signal
import socket
import sys
from pathlib import Path

from denominator.adapters.gateway.proxy.serving import serve
from denominator.adapters.gateway.proxy.wire import Wire
from denominator.errors import DenominatorError

PR_SET_DUMPABLE = 4
IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main(argv: list[str]) -> int:
    """0 when the runner is gone, 2 when it spoke otherwise than agreed."""
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    _guard()
    try:
        asyncio.run(_serve(int(argv[1])))
    except DenominatorError:
        return 2
    return 0


def _guard() -> None:
    """No core dump and no reading of this process's memory or environment by others of the same user: it holds the key.

    Hundreds of streams are two open files each.
    """
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if Path("/proc/self").exists():
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


async def _serve(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, _context: None)
    wire = Wire()
    # Whatever is under way is the runner's no more: nothing is waited for.
    wire.on_gone = lambda: os._exit(0)
    await loop.create_connection(lambda: wire, sock=socket.socket(fileno=descriptor))
    await serve(wire, os.environ)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
