"""Level G3: the solution in a sandbox of its own, started together with the grader's and ended with it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

from denominator.adapters.graders.kits import SOLUTION
from denominator.ports import Ended, GradeOrder, Job, Mount, Sandbox, Stop

DOOR, NAME = "/door", "solution"
HEAD_START_S = 0.02
EXTRA_S = 10.0  # the grader's own budget ends a grading; this one only sees that nothing outlives it


@dataclass(frozen=True, slots=True)
class Either:
    """Set when one of them is. `asked` is set when somebody asks: a sandbox does so as soon as it is on its way."""

    stops: tuple[Stop | None, ...]
    asked: threading.Event = field(default_factory=threading.Event)

    def is_set(self) -> bool:
        """Is one of them set?"""
        self.asked.set()
        return any(stop is not None and stop.is_set() for stop in self.stops)


def stage(folder: Path, kit: Path, order: GradeOrder, sandbox: Sandbox) -> tuple[Job, Mount]:
    """The solution's job, and the mount that shows the door to the grader.

    The door is a folder of the grader's uid, which the solution sees read-only. Neither the runner nor a hidden test is
    ever mounted where the solution runs; the kit it sees is what serves it.
    """
    door = folder / "door"
    door.mkdir()
    door.chmod(0o755)
    sandbox.hand_over(door, role="grader", slot=order.slot)
    job = Job(
        argv=(
            order.python,
            "-I",
            "-S",
            "-B",
            "-X",
            "utf8",
            "/kit/main.py",
            "door",
            f"{DOOR}/{NAME}",
            "/graded",
            "/work",
        ),
        role="agent",  # the uid of hostile code: another one than the grader's
        slot=order.slot,
        limits=order.limits,
        mounts=(
            Mount(host=kit / SOLUTION, inside="/kit"),
            Mount(host=order.tree, inside="/graded"),
            Mount(host=door, inside=DOOR),
        ),
    )
    return job, Mount(host=door, inside=DOOR, writable=True)


def run_pair(sandbox: Sandbox, grader: Job, solution: Job, stop: Stop | None) -> tuple[Ended, Ended]:
    """How both ended. When the solution's sandbox does not start, its ending is also the grading's."""
    over, failed = threading.Event(), threading.Event()
    limits = replace(solution.limits, wall_s=grader.limits.wall_s + EXTRA_S)
    found: list[Ended | BaseException] = []
    tests = Either((stop, failed))

    def first() -> (
        None
    ):  # the tests' side has more to do before both meet: its preparation is not shared with another's
        try:
            found.append(sandbox.run(grader, tests))
        except BaseException as error:
            found.append(error)
        finally:
            over.set()

    thread = threading.Thread(target=first, name="tests")
    thread.start()
    try:
        tests.asked.wait(HEAD_START_S)
        beside = sandbox.run(replace(solution, limits=limits), Either((stop, over)))
        if beside.start_error:
            failed.set()
    except BaseException:
        failed.set()
        raise
    finally:
        thread.join()
    ended = found[0]
    if isinstance(ended, BaseException):
        raise ended
    stopped = stop is not None and stop.is_set()
    return (beside if beside.start_error and not stopped else ended), beside
