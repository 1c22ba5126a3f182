"""A worker process as its parent holds it: one line with a job in, one line with the answer out (wiring/worker_main.py).

It has mounts of its own, so it is a process and no thread. When its parent dies its input ends, and it ends itself.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence

END_WITHIN_S = 30.0
TAIL = 2000
STOP = json.dumps({"stop": True})


class GoneError(Exception):
    """The process is dead; the text says what it left."""


class Child:
    """One process that works on one run. `ask` is for one thread at a time; `stop` may come from any."""

    def __init__(self, module: str, run: str) -> None:
        self._lock = threading.Lock()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            # A Ctrl-C is for the parent: it tells us.
            start_new_session=True,
        )
        self.pid = self._process.pid
        with contextlib.suppress(GoneError):
            self._tell(json.dumps({"run": run}))

    def ask(self, job: str) -> tuple[str, bool]:
        """The answer to a job, and whether it was the last one of this process. Raises GoneError."""
        self._tell(json.dumps({"job": job}))
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise GoneError(self._why())
        said = json.loads(line)
        return str(said["answer"]), said.get("last") is True

    def stop(self) -> None:
        """End the job that it has, if any."""
        with contextlib.suppress(GoneError):
            self._tell(STOP)

    def kill(self) -> None:
        """End it at once, also when it hears nothing any more; whoever waits for its answer has a GoneError."""
        self._process.kill()

    def close(self) -> None:
        """End it in order: at the end of its input it ends itself, or it is ended."""
        with contextlib.suppress(OSError), self._lock:
            assert self._process.stdin is not None
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_WITHIN_S)
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._said.close()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            with self._lock:
                self._process.stdin.write(line.encode() + b"\n")
                self._process.stdin.flush()
        except (OSError, ValueError):
            raise GoneError(self._why()) from None

    def _why(self) -> str:
        try:
            code: int | str = self._process.wait(END_WITHIN_S)
        except subprocess.TimeoutExpired:
            code = "none"
        if self._said.closed:
            return f"the worker process was closed, exit {code}"
        self._said.seek(0)
        said = self._said.read().decode("utf-8", "replace").strip()[-TAIL:]
        return f"the worker process ended, exit {code}" + (f": {said}" if said else "")


class Children:
    """The processes of one slot, one for each run that it has worked on; a dead one is started again."""

    def __init__(self, module: str, most: int = 4) -> None:
        self._module, self._most = module, most
        self._living: dict[str, Child] = {}

    def ask(self, run: str, job: str) -> str:
        """The answer of the run's process. Raises GoneError."""
        child = self._of(run)
        last = True
        try:
            answer, last = child.ask(job)
            return answer
        finally:
            if last:
                self._living.pop(run, None)
                child.close()

    def stop(self, run: str) -> None:
        """Tell the run's process to end its job."""
        if child := self._living.get(run):
            child.stop()

    def kill(self) -> None:
        """End all of them at once."""
        for child in list(self._living.values()):
            child.kill()

    def pids(self) -> Sequence[int]:
        """Those that live."""
        return [child.pid for child in list(self._living.values())]

    def close(self) -> None:
        """End all of them."""
        while self._living:
            self._living.popitem()[1].close()

    def _of(self, run: str) -> Child:
        while run not in self._living and len(self._living) >= self._most:
            self._living.pop(next(iter(self._living))).close()
        if run not in self._living:
            self._living[run] = Child(self._module, run)
        return self._living[run]
