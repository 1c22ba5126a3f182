"""How soon the command line answers: processor time of `--help`, `--version` and a verb's `--help`, against click alone.

The peer is `python -c "import click"`, the least that any command line on click costs. The limit is 150 ms of processor
time; because machines differ, what is asserted is the ratio to the peer, runs alternating. Run
`python benchmarks/bench_cli_start.py`; it exits 1 when a start costs more than twice the peer.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

ROUNDS = 15
RATIO_MAX = 2.0
LIMIT_MS = 150
PEER = ("-c", "import click")
STARTS = {
    "--help": ("-m", "denominator", "--help"),
    "--version": ("-m", "denominator", "--version"),
    "run --help": ("-m", "denominator", "run", "--help"),
    "explain --help": ("-m", "denominator", "explain", "--help"),
}


def cpu_ms(args: tuple[str, ...]) -> float:
    """Processor milliseconds of one process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> int:
    """Print the medians; 1 when one is too slow for what the peer costs here."""
    commands = {"import click": PEER, **STARTS}
    for args in commands.values():
        cpu_ms(args)  # bytecode is there, the page cache is warm
    measured: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, args in commands.items():
            measured[name].append(cpu_ms(args))
    medians = {name: statistics.median(times) for name, times in measured.items()}
    peer, slow = medians["import click"], []
    for name, ms in medians.items():
        ratio = ms / peer
        over = "  over the limit of the product" if ms > LIMIT_MS else ""
        print(f"{name:<16} {ms:6.1f} ms  {ratio:4.2f} x click{over}")
        slow += [name] if ratio > RATIO_MAX else []
    print(f"median of {ROUNDS}; limit {RATIO_MAX} x click: {'exceeded by ' + ', '.join(slow) if slow else 'kept'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
