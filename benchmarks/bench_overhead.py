"""What a harness takes for an attempt in which nobody does anything: ours beside a bare sandbox start, Inspect and Harbor.

Every line is (time of many attempts - time of few) / (many - few) of whole processes, one attempt at a time: starting the
interpreter, reading the package and, of ours, the baseline are in both and cancel out. The least of ROUNDS rounds in turn is
taken of each side, of the clock and of the processor time of all processes. Ours is measured twice:

- sandboxed: agent `true` and a `true` that grades, each in its own fresh sandbox, everything journalled durably;
- without a sandbox, agent or grader (`tests/simulation/sleeping.py`, no sleep): trees, patch, blobs, journal, card.

Peers, at the version that `requirements/bench-*.txt` pin: Inspect with a solver and a scorer that do nothing, then with its
local sandbox, which isolates nothing; Harbor with its agent `nop` in an environment of ours in which nothing happens
(`peers/harbor_nothing.py`), because its own environments need a container engine. Neither peer's line with nothing in it
starts a process, and neither writes durably, so the line of ours to hold beside them is the second; the first is to be held
beside two sandbox starts. Run `python benchmarks/bench_overhead.py`; environments are made on the first run (a minute each).
It asserts nothing: what is fair to assert would be a ratio of unlike things.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bench_sandbox

from denominator.adapters.sandboxes.bubblewrap import Bubblewrap

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "benchmarks" / "peers"
ROUNDS, STARTS = 3, 40
PYTHONS = ("python3.13", "python3.12")
Took = tuple[float, float]
"""Seconds of the clock, seconds of processor time of all processes."""
ASLEEP = """
import sys, tempfile
from pathlib import Path
from simulation.sleeping import make_night
with tempfile.TemporaryDirectory() as folder:
    night = make_night(Path(folder), tasks=1, repeats=int(sys.argv[1]), beds=1, least_s=0, most_s=0)
    assert night.sleep().why == "finished"
"""
PACK = """schema_version = 1
id = "nothing"
version = "1.0.0"
title = "Nothing"
license = "MIT"
reason = "convenience: a task in which nothing happens"
[selection]
rule = "convenience"
controls_min = 0
multi_file_min = 0
[provenance]
authors = ["the authors"]
created = 2026-11-30
"""
TASK = """schema_version = 1
id = "nothing"
title = "Nothing"
slice = "negative"
expected = "pass"
control = "noop_must_stay_green"
family = "nothing"
reason = "shows what a harness takes"
license = "MIT"
multi_file = false
allowed = ["*.py"]
forbidden = []
[source]
kind = "folder"
[verify]
runner = "command"
timeout_s = 20
level = "G1"
command = "true"
"""


def timed(command: list[str], cwd: Path, env: dict[str, str]) -> Took:
    """One whole process and its children. Exit 1 is a number that our gate withheld."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=cwd, env=os.environ | env, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def ours_sandboxed(folder: Path) -> Callable[[int], Took]:
    """`denominator run` over the task in which nothing happens; its baseline is kept between rounds."""
    sys.path.insert(0, str(ROOT / "tests"))
    from e2e.runs import envelope, lock

    task = folder / "pack" / "tasks" / "nothing"
    (task / "repo").mkdir(parents=True)
    (task / "hidden").mkdir()
    for path, text in (
        (folder / "pack" / "pack.toml", PACK), (task / "task.toml", TASK), (task / "prompt.md", "Do nothing.\n"),
        (task / "repo" / "one.py", "ONE = 1\n"), (task / "hidden" / "nothing.py", ""),
    ):  # fmt: skip
        path.write_text(text)
    lock(folder / "pack")
    arm = {"label": "nothing", "agent": "command", "command": ["true"]}

    def run(count: int) -> Took:
        (folder / "e.toml").write_text(envelope([arm], budget={"repeats": count}, run={"concurrency": 1}))
        run_id = f"n{time.monotonic_ns()}"
        command = [sys.executable, "-m", "denominator", "run", "e.toml", "--run-id", run_id, "-q", "--brief"]
        return timed(command, folder, {"XDG_CACHE_HOME": str(folder / "cache")})

    run(1)
    return run


def ours_alone(folder: Path) -> Callable[[int], Took]:
    """The same state machine over ports in which nothing happens."""
    path = os.pathsep.join((str(ROOT / "tests"), str(ROOT / "src")))
    return lambda count: timed([sys.executable, "-c", ASLEEP, str(count)], folder, {"PYTHONPATH": path})


def inspect(kind: str) -> Callable[[Path], Callable[[int], Took]]:
    """Inspect without a sandbox, or with its local one."""

    def begin(folder: Path) -> Callable[[int], Took]:
        python = environment("inspect", sys.executable)
        return lambda count: timed([python, str(PEERS / "inspect_noop.py"), str(count), kind], folder, {})

    return begin


def harbor(folder: Path) -> Callable[[int], Took]:
    """Harbor's own command line, agent `nop`."""
    binary = Path(environment("harbor", newer_python())).with_name("harbor")
    task = folder / "task"
    (task / "environment").mkdir(parents=True)
    (task / "tests").mkdir()
    (task / "instruction.md").write_text("Do nothing.\n")
    (task / "tests" / "test.sh").write_text("#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n")
    (task / "environment" / "Dockerfile").write_text("FROM scratch\n")
    (task / "task.toml").write_text(
        'schema_version = "1.4"\n[task]\nname = "demo/nothing"\nversion = "1.0.0"\ndescription = "nothing"\n'
        "[verifier]\ntimeout_sec = 20.0\n[agent]\ntimeout_sec = 20.0\n[environment]\nbuild_timeout_sec = 60.0\n"
    )
    env = {"HARBOR_TELEMETRY": "0", "PYTHONPATH": str(PEERS), "NO_COLOR": "1"}
    words = [str(binary), "run", "-p", str(task), "-a", "nop", "-e", "harbor_nothing:Nothing", "-n", "1", "-y", "-q"]

    def run(count: int) -> Took:
        jobs = folder / f"jobs-{time.monotonic_ns()}"
        took = timed([*words, "-k", str(count), "-o", str(jobs)], folder, env)
        ended = [json.loads(path.read_text()) for path in jobs.glob("*/*__*/result.json")]
        if len(ended) != count or any(one.get("exception_info") for one in ended):
            raise SystemExit(f"Harbor: {len(ended)} of {count} trials, or some of them failed")
        return took

    return run


def newer_python() -> str:
    """An interpreter that Harbor can use: one that is on the path and works, or one that lies beside our own."""
    beside = [str(path) for name in PYTHONS for path in Path(sys.base_prefix).parent.glob(f"*/bin/{name}")]
    for path in (*filter(None, map(shutil.which, PYTHONS)), *beside):
        if subprocess.run([path, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
            return path
    raise LookupError(f"Harbor needs one of {', '.join(PYTHONS)}")


def environment(name: str, python: str) -> str:
    """The interpreter of a peer's own environment, made from its locked list when it is not there."""
    locked = ROOT / "requirements" / f"bench-{name}.txt"
    folder, digest = ROOT / ".venv-bench" / name, hashlib.sha256(locked.read_bytes()).hexdigest()
    stamp, binary = folder / "installed.sha256", folder / "bin" / "python"
    if not stamp.is_file() or stamp.read_text() != digest:
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(exist_ok=True)
        subprocess.run([python, "-m", "venv", folder], check=True)
        subprocess.run([binary, "-m", "pip", "install", "-q", "--require-hashes", "-r", locked], check=True)
        stamp.write_text(digest)
    return str(binary)


def sandbox_starts() -> list[tuple[str, Took]]:
    """`true` in bare bubblewrap and in our sandbox, as `bench_sandbox.py` starts them."""
    box = Bubblewrap()
    lines = []
    for name, act in (("bubblewrap alone, `true`", bench_sandbox.bare), ("our sandbox, `true`", bench_sandbox.ours)):
        act(box)
        seen = []
        for _ in range(STARTS):
            cpu, start = sum(os.times()[:4]), time.perf_counter()
            act(box)
            seen.append((time.perf_counter() - start, sum(os.times()[:4]) - cpu))
        lines.append((name, (min(wall for wall, _ in seen), sum(cpu for _, cpu in seen) / STARTS)))
    box.close()
    return lines


def slope(took: list[tuple[Took, Took]], more: int) -> Took:
    """What one attempt more takes."""
    wall, cpu = (min(many[at] for _, many in took) - min(few[at] for few, _ in took) for at in (0, 1))
    return wall / more, cpu / more


LINES: tuple[tuple[str, int, int, Callable[[Path], Callable[[int], Took]]], ...] = (
    ("denominator, agent and grader `true`, sandboxed", 5, 55, ours_sandboxed),
    ("denominator, no sandbox, agent or grader", 50, 450, ours_alone),
    ("Inspect 0.3.285, solver and scorer do nothing", 50, 1050, inspect("none")),
    ("Inspect 0.3.285, both `true` in its local sandbox", 20, 220, inspect("local")),
    ("Harbor 0.26.0, nop agent, nothing in its environment", 10, 160, harbor),
)
"""What, few, many, how."""


def main() -> int:
    """Measure in turn, print one table."""
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; milliseconds an attempt, one at a time")
    seen: dict[str, list[tuple[Took, Took]]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-overhead-") as place:
        ready = []
        for number, (name, few, many, begin) in enumerate(LINES):
            folder = Path(place) / str(number)
            folder.mkdir()
            try:
                ready.append((name, few, many, begin(folder)))
            except (LookupError, subprocess.CalledProcessError) as why:
                print(f"{name}: not measured: {why}")
        for _ in range(ROUNDS):
            for name, few, many, run in ready:
                seen.setdefault(name, []).append((run(few), run(many)))
    slopes = [(name, slope(seen[name], many - few)) for name, few, many, _ in ready]
    print(f"{'':54} {'clock':>8} {'processor':>10}")
    for name, (wall, cpu) in (*sandbox_starts(), *slopes):
        print(f"{name:54} {wall * 1e3:8.1f} {cpu * 1e3:10.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
