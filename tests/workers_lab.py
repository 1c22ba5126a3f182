"""Runs carried by workers, and what must be the same however a run was carried out."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from denominator.pipeline.run import read_ledger
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.rows import AttemptRow, Ledger
from denominator.wire.codec import to_json
from denominator.wiring.opening import find_run, look_into
from effects import applications

PACKS = Path(__file__).parent / "data" / "packs"
# What the clock, the place and the number of starts decide; everything else of a row must be equal.
PASSING = (
    "queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "paused_ms", "working_ms", "time_to_first_green_ms",
    "cold_start", "incarnations", "report_sha", "limits_enforced", "started_at",
)  # fmt: skip

SCRIPT = """
schema_version = 1

[[task]]
id = "clamp-low"
[[task.step]]
run = "SLEEPsed -i 's/return min(value, high)/return max(low, min(value, high))/' bounds.py"

[[task]]
id = "count-words"
[[task.step]]
run = "SLEEPtrue"
[[task.step]]
write = "wordy.py"
content = "def count(text):\\n    return len(text.split(None, 1))\\n"

[[task]]
id = "double-it"
[[task.step]]
run = "SLEEPsed -i 's/return n/return n + n/' twice.py"

[[task]]
id = "keep-sorted"
[[task.step]]
run = "SLEEPtrue"
"""

ENVELOPE = """
schema_version = 1
question = "Does it matter who carries the attempts?"
pack = "four"
treatment = []

[[arm]]
label = "script"
agent = "script"
agent_version = "0.1.0"
script = "script.toml"
[arm.model]
id = "none"

[budget]
wall_s = 30
working_s = 30
tool_calls = 50
attempts = 1
repeats = REPEATS
incarnations_max = 50

[policy]
on_timeout = "fail"
[policy.retry]
rate_limited = 0
server_error = 0
timeout = 0
infra = 0

[sandbox]
backend = "bubblewrap"
network = "none"
memory_mb = 256
processes = 64
disk_mb = 64
file_mb = 16

[run]
concurrency = 2
warmup_tasks = 0

[ceilings]
invalid_rate = "0.10"
infra_rate = "0.10"

[metric]
headline = "headline_pass_rate"
scorer = "tests"

[cite]
sentence = "it does not matter who carries the attempts"
rule = "never"

[provenance]
operator = "a test"
purpose = "test"
"""


def begin(folder: Path, *, repeats: int = 1, sleep_s: float = 0) -> Path:
    """A folder with the locked four-task pack and the envelope of a scripted agent that sleeps first."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(PACKS / "four", folder / "four")
    sleep = f"sleep {sleep_s}; " if sleep_s else ""
    (folder / "script.toml").write_text(SCRIPT.replace("SLEEP", sleep))
    (folder / "envelope.toml").write_text(ENVELOPE.replace("REPEATS", str(repeats)))
    assert finish(cli(folder, "pack", "lock", "four")) == 0
    return folder


def cli(folder: Path, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    """The command line in a folder, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "denominator", *args],
        cwd=folder,
        env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")} | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[bytes], within_s: float = 120) -> int:
    """The exit code; a traceback is a defect."""
    out, err = process.communicate(timeout=within_s)
    assert b"Traceback" not in err, err.decode()
    if process.returncode:  # pytest shows it where a test fails
        print(out.decode()[-6000:], err.decode()[-2000:])
    return process.returncode


def opened(folder: Path, run_id: str) -> OpenRun:
    """The run, for a look: from its folder where it is finished and came home, else from its server."""
    return look_into(find_run(run_id, folder / "runs"))


def plain(row: AttemptRow) -> dict[str, Json]:
    """A row without what the clock, the place and the number of starts decide; the run id is set aside."""
    found = to_json(replace(row, key=replace(row.key, run_id="r")))
    assert isinstance(found, dict)
    return {name: value for name, value in found.items() if name not in PASSING}


def same_ledger(a: Ledger, b: Ledger, *, armed: bool = False, aside: Sequence[str] = ()) -> None:
    """Equal in everything but ids of time, incarnation and place, and fields set `aside`; `armed`: failpoints of `a` are known of."""
    for left, right in zip(a.rows, b.rows, strict=True):
        one, two = plain(left), plain(right)
        assert {k: (one[k], two[k]) for k in one if one[k] != two[k] and k not in aside} == {}, left.key
    assert a.declared == b.declared
    assert [(x.value, x.why) for x in a.labels] == [(x.value, x.why) for x in b.labels]
    known = [defect for defect in a.defects if armed and defect.kind == "armed_failpoints"]
    assert [defect for defect in a.defects if defect not in known] == list(b.defects)
    assert bool(known) == armed


def sound_effects(run: OpenRun) -> None:
    """One ending, one verdict, one patch for each attempt; no tree applied twice in one workspace; the chain holds."""
    events = list(run.journal.events())
    assert run.journal.verify() == []
    once = Counter((e.kind, e.key) for e in events if e.kind in ("promised", "closed", "patch", "graded"))
    assert set(once.values()) == {1}, {k: v for k, v in once.items() if v > 1}
    applied = [e for e in events if e.kind == "applied" and e.payload["by"] == "apply"]
    assert not (twice := {where: times for where, times in applications(events).items() if times > 1}), twice
    assert len({(e.key, e.payload["tree"]) for e in applied}) == len({e.key for e in applied})


def same_as(folder: Path, run_id: str, whole: str, *, armed: bool = False) -> None:
    """The ledger of a run is that of another one, and its effects happened once."""
    run, other = opened(folder, run_id), opened(folder, whole)
    try:
        same_ledger(read_ledger(run), read_ledger(other), armed=armed)
        sound_effects(run)
    finally:
        run.journal.close()
        other.journal.close()


@dataclass(slots=True)
class Cluster:
    """A Dask scheduler and its workers, each a process that we started (a worker is below its nanny)."""

    folder: Path
    port: int
    env: dict[str, str]
    protocol: str = "tcp"
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.protocol}://127.0.0.1:{self.port}"

    def start_scheduler(self, host: str = "127.0.0.1", ahead: Sequence[str] = ()) -> None:
        """Start it, or start it again."""
        self.scheduler = self._start(
            "scheduler", "--host", host, "--port", str(self.port), "--no-dashboard", "--no-show",
            "--protocol", self.protocol, ahead=ahead,
        )  # fmt: skip

    def add_worker(self, address: str = "", host: str = "127.0.0.1", ahead: Sequence[str] = ()) -> None:
        """One more worker, restarted by its nanny when it dies."""
        name = f"w{len(self.workers)}"
        argv = ("worker", address or self.address, "--nthreads", "1", "--memory-limit", "0", "--no-dashboard")
        more = ("--host", host, "--name", name, "--local-directory", str(self.folder / name))
        self.workers.append(self._start(*argv, *more, ahead=ahead))

    def inner(self, number: int) -> int:
        """The process below a nanny that holds attempts' processes; 0 while it starts."""
        for pid in children_of(self.workers[number].pid, "multiprocessing"):
            if children_of(pid, "worker_main"):
                return pid
        return 0

    def close(self) -> None:
        """End all that we started."""
        for process in (*self.workers, *([self.scheduler] if self.scheduler else [])):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, *argv: str, ahead: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        with (self.folder / f"{argv[0]}.log").open("ab") as log:
            return subprocess.Popen(
                [*ahead, sys.executable, "-m", "dask", *argv],
                stdout=log, stderr=log, env=os.environ | self.env, cwd=self.folder, start_new_session=True,
            )  # fmt: skip


@contextmanager
def cluster(folder: Path, workers: int, env: dict[str, str], protocol: str = "tcp") -> Iterator[Cluster]:
    """A scheduler on loopback with workers that have one thread each."""
    folder.mkdir(exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = Cluster(folder, port, env, protocol)
    try:
        made.start_scheduler()
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        made.close()


def children_of(pid: int, needle: str) -> list[int]:
    """Living descendants of a process whose command line holds a text."""
    found, parents = [], {pid}
    for folder in sorted((p for p in Path("/proc").iterdir() if p.name.isdigit()), key=lambda p: int(p.name)):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            line = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
        except (OSError, IndexError):
            continue
        if parent in parents:
            parents.add(int(folder.name))
            if needle in line:
                found.append(int(folder.name))
    return found
