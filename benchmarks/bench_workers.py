"""Two workers against one: the same run of sleeping agents, one slot a worker, one after the other on this machine.

Asserted: two workers take at most 0.625 of one worker's time (0.5 would be perfect). With Dask and PostgreSQL where both are
installed, else with processes and SQLite. The time is that between the first start and the last ending of an attempt.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parents[1] / "src")]

from workers_lab import begin, cli, cluster, finish, opened, same_as  # noqa: E402 - after the path

SLEEP_S = 4
REPEATS = 4
MOST = 0.625


def main() -> int:
    """Print both times and their ratio; 1 when the ratio is too large."""
    with tempfile.TemporaryDirectory(prefix="dnm-bench-") as name, ExitStack() as stack:
        place = Path(name)
        folder = begin(place / "b", repeats=REPEATS, sleep_s=SLEEP_S)
        took = {}
        for workers in (1, 2):
            argv = _engine(place / f"w{workers}", workers, stack)
            finish(cli(folder, "run", "envelope.toml", "--run-id", f"by-{workers}", *argv), 1200)
            took[workers] = _seconds(folder, f"by-{workers}")
        same_as(folder, "by-2", "by-1")
    ratio = took[2] / took[1]
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    print(f"{4 * REPEATS} attempts that sleep {SLEEP_S} s, engine {argv[-1].partition(':')[0]}, {load}")
    print(f"one worker {took[1]:.1f} s, two workers {took[2]:.1f} s, ratio {ratio:.3f}, at most {MOST}")
    return int(ratio > MOST)


def _engine(place: Path, workers: int, stack: ExitStack) -> list[str]:
    """The options that name an engine with so many workers."""
    from denominator.testing.postgres_server import postgres_server, why_not

    if find_spec("distributed") is None or why_not():
        return ["--workers", f"processes://{workers}"]
    server = stack.enter_context(postgres_server())
    os.environ["PGPASSWORD"] = server.password
    dask = stack.enter_context(cluster(place, workers, {"PGPASSWORD": server.password}))
    return ["--journal", server.tcp_dsn(), "--workers", f"dask://127.0.0.1:{dask.port}"]


def _seconds(folder: Path, run_id: str) -> float:
    """From the first start to the last ending."""
    run = opened(folder, run_id)
    when = [datetime.fromisoformat(e.t_wall) for e in run.journal.events() if e.kind in ("started", "closed")]
    run.journal.close()
    return (max(when) - min(when)).total_seconds()


if __name__ == "__main__":
    raise SystemExit(main())
