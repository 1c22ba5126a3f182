"""Starting and ending a sandboxed `true`: our whole run against bare bubblewrap with the same view, in turn in one process.

What ours adds: the dropped uid, the call filter, the gate, control groups, the watch, and the proof that all is
dead. The limit is bubblewrap itself. Run `python benchmarks/bench_sandbox.py`; it exits 1 when ours takes over
four times as long.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.prepare import prepare
from denominator.adapters.sandboxes.spawn import memory_file
from denominator.ports import Job, Limits

ROUNDS = 60
RATIO_MAX = 4.0
MB = 1 << 20
JOB = Job(
    argv=("true",),
    role="agent",
    limits=Limits(
        wall_s=30,
        memory_bytes=256 * MB,
        processes=64,
        disk_bytes=64 * MB,
        file_bytes=16 * MB,
        open_files=256,
        output_bytes=65536,
    ),
)


def ours(box: Bubblewrap) -> None:
    """One run through the port."""
    ended = box.run(JOB)
    if ended.exit_code or ended.start_error:
        raise SystemExit(f"the sandbox does not work: {ended.start_error}")


def bare(box: Bubblewrap) -> None:
    """The same mounts, namespaces and files, and nothing else: no uid dropped, no filter, no limits, no watch."""
    with contextlib.ExitStack() as undo:
        ready = prepare(JOB, box, None, undo)
        words = list(ready.order.options)
        if "--seccomp" in words:
            del words[words.index("--seccomp") :]
        arguments = memory_file(b"\0".join(os.fsencode(word) for word in words) + b"\0")
        undo.callback(os.close, arguments)
        command = [box.bwrap, "--args", str(arguments), "--", "true"]
        subprocess.run(command, pass_fds=(*ready.passed, arguments), check=True, stdin=subprocess.DEVNULL)


def wall_ms(act: Callable[[Bubblewrap], None], box: Bubblewrap) -> float:
    """Wall time: what a run waits for."""
    start = time.perf_counter()
    act(box)
    return (time.perf_counter() - start) * 1e3


def main() -> int:
    """Measure, print, compare."""
    box = Bubblewrap()
    ours(box)
    bare(box)
    rounds = [(wall_ms(ours, box), wall_ms(bare, box)) for _ in range(ROUNDS)]
    box.close()
    full, plain = (sorted(times) for times in zip(*rounds, strict=True))
    ratio = statistics.median(a / b for a, b in rounds)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {ROUNDS} rounds in turn")
    for name, times in (("ours", full), ("bare", plain)):
        print(f"{name} fastest {times[0]:5.1f} ms, median {statistics.median(times):5.1f} ms")
    print(f"ratio of the medians of pairs {ratio:.2f} (at most {RATIO_MAX})")
    return 0 if ratio <= RATIO_MAX else 1


if __name__ == "__main__":
    sys.exit(main())
