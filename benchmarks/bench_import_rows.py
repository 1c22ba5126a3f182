"""`import rows` of a long JSONL file, beside parsers of the same bytes.

`bench_import_rows.py [ROWS]` makes a file of so many rows (a million by default) of about 400 bytes, with tokens and times of
its own in each, a text that nothing knows, and a manifest. Each side runs in a process of its own, in turn: ours from the first
byte to columns that are ready for judging, with the terms and the report, in as many processes as the product reads such a file
in; ours to the judged card; msgspec over every line into a typed Struct; polars over the file. No parser looks for a key twice,
keeps decimals exact, checks ids or digests every line; `floor` is the least that an interpreter does for these, each in one
call over many lines, so its half is what two processes could come to at best. Processor seconds are those of all processes of a
side, memory is what they have together. The goal is for the clock, on a machine where nothing else runs; the limit is for
processor time.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from bench_judge import Clock, measured, peak_mb

from denominator.pipeline.importing import import_paths
from denominator.pipeline.large_import import read_large

ROWS, ENOUGH = 1_000_000, 500_000
REPEATS = 5
GOAL, RATIO_MAX, MEMORY_MAX_MB = 2.0, 11.0, 500
"""Ours by the typed Struct: the goal for the clock, and what keeps the processor time that is reached from being lost."""
ROUNDS = 2
KIND = ("run_id", "attempt", "outcome", "model", "cold_start", "reason")
NUMBERS = ("wall_s", "prompt_tokens", "completion_tokens")
FILES = ("rows.jsonl", "manifest.json")


class Row(msgspec.Struct):
    """A line, typed."""

    run_id: str
    task_id: str
    repeat: int
    attempt: int
    outcome: str
    wall_s: float
    prompt_tokens: int
    completion_tokens: int
    model: str
    cold_start: bool
    note: str
    reason: str = ""


def write(folder: Path, count: int) -> None:
    """Rows and manifest."""
    pick = random.Random(4)
    tasks = [f"project-{at % 97}/issue-{at:06}" for at in range(count // REPEATS)]
    with (folder / FILES[0]).open("w", buffering=1 << 20) as out:
        for task in tasks:
            for repeat in range(1, REPEATS + 1):
                out.write(json.dumps(row(pick, task, repeat)) + "\n")
    manifest = {
        "run_id": "made-up", "task_ids": tasks, "repeats": REPEATS, "invalid_rate_ceiling": "0.3", "on_timeout": "fail",
        "retry_policy": "none", "max_attempts": 1, "scorer": "tests", "controls": [],
    }  # fmt: skip
    (folder / FILES[1]).write_text(json.dumps(manifest))


def row(pick: random.Random, task: str, repeat: int) -> dict[str, object]:
    """One row."""
    ended = pick.choice(["pass"] * 5 + ["fail"] * 4 + ["unscoreable"])
    found: dict[str, object] = {
        "run_id": "made-up", "task_id": task, "repeat": repeat, "attempt": 1, "outcome": ended,
        "wall_s": round(pick.random() * 600, 3), "prompt_tokens": pick.randrange(1, 10**5),
        "completion_tokens": pick.randrange(1, 10**4), "model": "made-up-1", "cold_start": pick.random() < 0.1,
        "note": f"{pick.getrandbits(640):x}",
    }  # fmt: skip
    return found | ({"reason": pick.choice(["env_flake", "provider_error"])} if ended == "unscoreable" else {})


def ours(folder: Path) -> dict[str, object]:
    """To columns by kind, terms and report."""
    clock = Clock()
    found = read_large([(name, folder / name) for name in FILES], least=1)
    if found is None:
        sys.exit("this file is not read line by line")
    return {**clock.read(), "mb": peak_mb(), "rows": found.rows.read_rows, "kinds": len(found.rows.singles.kinds.rows)}


def card(folder: Path) -> dict[str, object]:
    """To the judged card."""
    clock = Clock()
    _, result = import_paths([folder / name for name in FILES], None, (), None, large=1)
    return {**clock.read(), "mb": peak_mb(), "rows": len(result.ledger.rows), "status": result.judged.verdict.status}


def typed(folder: Path) -> dict[str, object]:
    """msgspec over every line."""
    clock, decode, made = Clock(), msgspec.json.Decoder(Row).decode, 0
    with (folder / FILES[0]).open("rb") as file:
        for line in file:
            decode(line)
            made += 1
    return {**clock.read(), "mb": peak_mb(), "rows": made}


def frame(folder: Path) -> dict[str, object]:
    """polars over the file."""
    import polars

    clock = Clock()
    made = polars.scan_ndjson(folder / FILES[0]).collect().height
    return {**clock.read(), "mb": peak_mb(), "rows": made}


def floor(folder: Path) -> dict[str, object]:
    """What no import leaves out, in as few calls as can be: digests in order, typed rows, columns, keys that stand once."""
    gc.disable()
    clock, decode = Clock(), msgspec.json.Decoder(Row).decode
    digests: list[bytes] = []
    columns: tuple[list[Any], ...] = ([], [], [], [])
    numbers: tuple[dict[Any, int], ...] = ({}, {})
    gets = [attrgetter(*one) for one in (("task_id",), ("repeat",), KIND, NUMBERS)]
    quotes = 0
    with (folder / FILES[0]).open("rb") as file:
        while lines := file.readlines(1 << 20):
            digests += [one.digest() for one in map(hashlib.sha256, lines)]
            rows = list(map(decode, lines))
            quotes += b"".join(lines).count(b'"')
            columns[0].extend([numbers[0].setdefault(one, len(numbers[0])) for one in map(gets[0], rows)])
            columns[1].extend(map(gets[1], rows))
            columns[2].extend([numbers[1].setdefault(one, len(numbers[1])) for one in map(gets[2], rows)])
            columns[3].extend(map(gets[3], rows))
    digests.sort()
    once = len({*zip(columns[0], columns[1], strict=True)})
    return {**clock.read(), "mb": peak_mb(), "rows": once}


SIDES: dict[str, Callable[[Path], dict[str, object]]] = {
    "ours": ours, "card": card, "typed": typed, "polars": frame, "floor": floor,
}  # fmt: skip


def main(count: int) -> int:
    """Make the file, run the sides in turn, print, compare."""
    with tempfile.TemporaryDirectory(prefix="bench-import-rows-") as name:
        folder = Path(name)
        write(folder, count)
        size = (folder / FILES[0]).stat().st_size
        rounds = [{side: measured(__file__, side, folder) for side in SIDES} for _ in range(ROUNDS)]
    made = rounds[-1]["ours"]["rows"]
    print(
        f"{made} rows, {size / made:.0f} bytes each, {rounds[-1]['ours']['kinds']} kinds; {rounds[-1]['card']['status']}"
    )
    least = {side: {of: min(one[side][of] for one in rounds) for of in ("cpu", "wall")} for side in SIDES}
    memory = {side: max(one[side]["mb"] for one in rounds) for side in SIDES}
    for side, of in least.items():
        print(f"{side:<7}{of['wall']:8.2f} s wall {of['cpu']:8.2f} s cpu {memory[side]:5} MB")
    cpu, wall = (least["ours"][of] / least["typed"][of] for of in ("cpu", "wall"))
    half = least["floor"]["cpu"] / least["typed"]["cpu"] / 2
    print(f"{half:.1f} is half of the floor's processor time by the typed Struct's: the clock of two processes at best")
    most = max(memory["ours"], memory["card"])
    reached = "reached" if wall <= GOAL else "not reached"
    print(f"{wall:.1f} wall, {cpu:.1f} cpu to the typed Struct (goal {GOAL} wall, {reached}; limit {RATIO_MAX} cpu)")
    print(f"{most} MB (goal and limit {MEMORY_MAX_MB}); load {os.getloadavg()[0]:.1f}")
    return 0 if most <= MEMORY_MAX_MB and (cpu <= RATIO_MAX or count < ENOUGH) else 1


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in SIDES:
        print(json.dumps(SIDES[sys.argv[1]](Path(sys.argv[2]))))
        sys.exit(0)
    sys.exit(main(*map(int, sys.argv[1:2] or [ROWS])))
