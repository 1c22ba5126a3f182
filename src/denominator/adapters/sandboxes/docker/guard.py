"""A small process beside the harness that removes its containers and files when it dies, however it dies.

It waits on a pipe that only the harness holds open: its end is the harness's end. Ordered ends say so first.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

from denominator.adapters.sandboxes.docker.client import Engine, EngineError
from denominator.adapters.sandboxes.docker.owners import remove_session
from denominator.adapters.sandboxes.layout import own_package

__all__ = ["Guard", "main"]

PATIENCE_S = 60.0
DONE = b"done\n"
START = (
    "import sys; sys.path[:0] = [sys.argv[1]]; "
    "from denominator.adapters.sandboxes.docker.guard import main; main(*sys.argv[2:])"
)


class Guard:
    """The harness's side: `close` says that nothing is left."""

    def __init__(self, engine: Path, session: str, folder: Path) -> None:
        words = [str(own_package().parent), str(engine), session, str(folder)]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", START, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )

    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self, *, done: bool = True) -> None:
        """Let it go. Not `done`: the engine was gone, so the guard goes on alone and removes what it finds when that is back."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            if done:
                self._process.stdin.write(DONE)
            self._process.stdin.close()
        if done:
            self._process.wait()


def main(engine: str, session: str, folder: str) -> None:
    """Wait for the end of the harness; then remove what it left, until twice nothing was left."""
    if sys.stdin.buffer.read() == DONE:
        return
    shutil.rmtree(folder, ignore_errors=True)
    deadline, empty = time.monotonic() + PATIENCE_S, 0
    while empty < 2 and time.monotonic() < deadline:
        try:
            # The engine may still be at work on a request that the harness did not live to see answered.
            empty = 0 if remove_session(Engine(Path(engine)), session) else empty + 1
        except EngineError:
            empty = 0
        time.sleep(0.5)
    shutil.rmtree(folder, ignore_errors=True)
