"""What runs in a worker process: `python -m denominator.wiring.worker_main`, one run, one attempt at a time.

Lines of JSON come in: {"run": how to find the run}, then {"job": an order} and {"stop": true} for the job it has. Each job
gets one line {"answer": ..., "last": whether this process ends now}. The end of the input ends the process, and its sandbox
with it: on a machine nothing of a run outlives the process that asked for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from denominator._version import __version__
from denominator.errors import DenominatorError, MachineError, OpenPromisesError
from denominator.pipeline.carrier_worker import Seen, work
from denominator.pipeline.orders import Answer, Order, Word, of_error, read_order, written
from denominator.ports import Stop
from denominator.wiring.world import utc_now

FRESH_START = (Word.FENCED, Word.NO_JOURNAL, Word.ERROR)
"""After these the process ends: what it holds (a gateway, a connection) may remember what went wrong."""
Work = Callable[[Order, Stop, bool], Answer]


@dataclass(slots=True)
class Desk:
    """What has come in: jobs, each with its own stop. None: nothing comes any more."""

    lines: BinaryIO
    todo: queue.SimpleQueue[tuple[str, threading.Event] | None] = field(default_factory=queue.SimpleQueue)
    current: threading.Event = field(default_factory=threading.Event)

    def read(self) -> None:
        """Take in lines until the input ends; runs in a thread of its own."""
        for line in self.lines:
            said = json.loads(line)
            if "job" in said:
                self.current = threading.Event()
                self.todo.put((str(said["job"]), self.current))
            elif said.get("stop") is True:
                self.current.set()
        self.end()

    def end(self) -> None:
        """Stop the job that is under way and take no other."""
        self.current.set()
        self.todo.put(None)


def main() -> int:
    """Serve one run until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is no answer
    desk = Desk(sys.stdin.buffer)
    first = desk.lines.readline()
    if not first:
        return 0
    run = str(json.loads(first)["run"])
    try:
        _open_and_serve(run, desk, answers)
    except DenominatorError as error:
        word = Word.NO_JOURNAL if isinstance(error, OpenPromisesError) else Word.ERROR
        refusal = Answer(word=word, what=str(error)) if word == Word.NO_JOURNAL else of_error(error)
        _begin(desk)
        _serve(desk, answers, lambda _order, _stop, _cold: refusal)
    return 0


def _open_and_serve(reference: str, desk: Desk, answers: BinaryIO) -> None:
    from denominator.wiring.workers_places import opened

    # The sandbox takes its private mounts before the first thread starts.
    with opened(reference) as (world, run):
        seen = Seen()
        _begin(desk)
        _serve(desk, answers, lambda order, stop, cold: work(world, run, order, stop, seen, cold=cold))


def _begin(desk: Desk) -> None:
    signal.signal(signal.SIGTERM, lambda *_: desk.end())
    threading.Thread(target=desk.read, name="desk", daemon=True).start()


def _serve(desk: Desk, answers: BinaryIO, carry: Work) -> None:
    cold = True
    while (job := desk.todo.get()) is not None:
        answer = replace(_checked(job[0], job[1], carry, cold), host=socket.gethostname())
        cold, last = False, answer.word in FRESH_START
        _log(job[0], answer)
        answers.write(json.dumps({"answer": written(answer), "last": last}).encode() + b"\n")
        answers.flush()
        if last:
            return


def _log(job: str, answer: Answer) -> None:
    """One line for each order, for whoever looks after workers: nobody may be left to hear the answer itself."""
    if path := os.environ.get("DENOMINATOR_WORKER_LOG"):
        line = {"t": utc_now(), "pid": os.getpid(), "order": json.loads(job), "answer": json.loads(written(answer))}
        with contextlib.suppress(OSError, ValueError), Path(path).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")


def _checked(job: str, stop: Stop, carry: Work, cold: bool) -> Answer:
    try:
        order = read_order(job)
        if order.version != __version__:
            what = f"this worker is denominator {__version__}, the run is carried out by {order.version}"
            raise MachineError(what, fix="install one version on all machines")
    except DenominatorError as error:
        return of_error(error)
    return carry(order, stop, cold)


if __name__ == "__main__":
    raise SystemExit(main())
