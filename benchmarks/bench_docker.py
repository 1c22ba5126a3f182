"""Containers: a run through the port and a two-phase grading beside a bare container of the same engine, in turn in one process.

The engine is the one of DOCKER_HOST with DENOMINATOR_BENCH_IMAGE, else a private one of the tests (`tests/engines_lab.py`). Sides:

- bare command: `true` as a process of this machine;
- bare container: the same image and `true`, created, started, waited for and removed through the engine's own API, without
  network or limits: what `docker run --rm --network none` asks for;
- ours: the same through the port: read-only root, sized tmpfs, filter of calls, limits, pipes, the pin, the proof that all ended;
- two phases: an agent's container and a grading's at G2 (unittest in process).

Ratios are medians over pairs of one round. Run `python benchmarks/bench_docker.py`; it exits 1 when a start through the port takes
over RATIO_MAX times a bare container, or two phases over GRADED_MAX times two of them. Without an engine it says so and exits 0.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import bench_grading
import bench_sandbox

from denominator.adapters.graders.clean_tree import CleanTree
from denominator.adapters.sandboxes.docker.backend import Docker
from denominator.adapters.sandboxes.docker.client import Engine

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
import engines_lab

ROUNDS = 20
RATIO_MAX, GRADED_MAX = 1.5, 2.0
NAMES = itertools.count()


@contextlib.contextmanager
def engine() -> Iterator[tuple[Path, str]]:
    """Socket and image of the engine that is measured."""
    named = os.environ.get("DOCKER_HOST", "").removeprefix("unix://")
    if named:
        yield Path(named), os.environ.get("DENOMINATOR_BENCH_IMAGE", engines_lab.IMAGE)
        return
    with engines_lab.started("dockerd") as running:
        yield running.socket, engines_lab.IMAGE


def bare_container(of: Engine, image: str) -> None:
    """Created, started, waited for, removed."""
    name = f"denominator-bench-{os.getpid()}-{next(NAMES)}"
    made = of.create(name, {"Image": image, "Cmd": ["true"], "HostConfig": {"NetworkMode": "none"}})
    of.start(made)
    if not of.wait(made, 60):
        raise SystemExit("the bare container does not end")
    of.remove(made)


def ours(box: Docker) -> None:
    """One run through the port."""
    ended = box.run(bench_sandbox.JOB)
    if ended.exit_code or ended.start_error:
        raise SystemExit(f"the container does not work: {ended.start_error}")


def two_phases(box: Docker, folder: Path) -> None:
    """What an attempt waits for: its agent's container, then the grading of its tree."""
    ours(box)
    found = CleanTree().grade(bench_grading.order(folder, "G2 in process"), box)
    if found.grade != "green":
        raise SystemExit(f"{found.grade}, {found.why}")


def took_ms(act: Callable[[], object]) -> float:
    """Wall time: what a run waits for."""
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1e3


def main() -> int:
    """Measure, print, compare."""
    why = "" if os.environ.get("DOCKER_HOST") else engines_lab.missing("dockerd")
    if why:
        print(f"not measured: {why}")
        return 0
    with engine() as (socket, image), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        box, of = Docker(image=image, socket=str(socket)), Engine(socket)
        sides: dict[str, Callable[[], object]] = {
            "bare command": lambda: subprocess.run(["true"], check=True),
            "bare container": lambda: bare_container(of, image),
            "ours": lambda: ours(box),
            "two phases": lambda: two_phases(box, folder),
        }
        for act in sides.values():
            act()
        rounds = [{side: took_ms(act) for side, act in sides.items()} for _ in range(ROUNDS)]
        box.close()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {ROUNDS} rounds in turn")
    for side in sides:
        times = [each[side] for each in rounds]
        print(f"{side}: median {statistics.median(times):7.1f} ms (least {min(times):.1f})")
    start = ratio(rounds, "ours", "bare container", 1)
    graded = ratio(rounds, "two phases", "bare container", 2)
    ratio(rounds, "ours", "bare command", 1)
    print(f"at most {RATIO_MAX} for a start, {GRADED_MAX} for two phases beside two bare containers")
    return 0 if start <= RATIO_MAX and graded <= GRADED_MAX else 1


def ratio(rounds: list[dict[str, float]], one: str, other: str, many: int) -> float:
    """The median over the rounds of one side to so many of another, printed."""
    found = statistics.median(each[one] / (many * each[other]) for each in rounds)
    print(f"{one} to {many} x {other}: {found:.2f} (median of pairs)")
    return found


if __name__ == "__main__":
    sys.exit(main())
