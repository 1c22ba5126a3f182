"""`card` over a Parquet ledger of a million rows, beside polars that only scans the columns that judging reads.

The peer is `scan_parquet(...).select(columns read).collect()` in a process of its own, with the engine that polars chooses: every
value of every column that judging reads is decoded and held at the end, as whoever scans these columns would write it; nothing is
answered from the counts or the statistics in the file. Beside these columns ours reads whole only one row of each group. Ours
reads the same file, labels the rows, makes the draws, all metrics, all findings, the verdict and the card, in a process of its own.
Both are timed in processor seconds of all threads. The first rows are those of `bench_judge.py`, written as Parquet by our own
writer. Run `python benchmarks/bench_parquet.py [ROWS]` (default 1,000,000); it exits 1 when the limit is passed, which is asserted
from 500,000 rows on: the least of some rounds in turn on each side. The limit is the goal (see docs/evidence/speed.md).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench_judge
import polars as pl

from denominator.pipeline.judging_file import take_rows
from denominator.pipeline.label_stream import terms_beside
from denominator.pipeline.parquet_columns import columns
from denominator.pipeline.parquet_groups import NEVER_READ
from denominator.pipeline.parquet_reading import judge_parquet
from denominator.pipeline.parquet_writing import AT_ONCE, write_parquet
from denominator.records.draws import NUMBERS as DRAWN
from denominator.records.rows import Ledger

ROWS, ENOUGH, ROUNDS, FIRST = 1_000_000, 500_000, 3, 20_000
DIGESTS = ("patch.sha256", "patch.base_tree", "patch.final_tree", "report_sha")
RATIO_MAX = 3.0
LEDGER = "ledger.parquet"


def write(folder: Path, count: int) -> int:
    """The file, with its terms and its declared draws beside it: some thousand rows by our writer, then as many times with
    tasks, numbers, digests and test ids of their own."""
    bench_judge.write(folder, min(count, FIRST))
    lines = folder / "ledger.jsonl"
    with lines.open("rb") as file:
        taken = take_rows(file, lines.name, terms_beside(lines))
        ledger = Ledger(run_id="", source="import", declared=(), declared_n=0, rows=taken.whole)  # type: ignore[arg-type]
        write_parquet(ledger, folder / "first.parquet")
    times = max(1, round(count / len(taken.whole)))
    for again in range(times):
        one = (
            pl.read_parquet(folder / "first.parquet")
            .with_columns(other(again))
            .sample(fraction=1, shuffle=True, seed=again)
        )
        one.write_parquet(folder / f"part-{again:06}.parquet")
    pl.scan_parquet(folder / "part-*.parquet").sink_parquet(folder / LEDGER, row_group_size=AT_ONCE)
    stated = json.loads((folder / "declared.json").read_text())
    for block in stated["tasks"]:
        block["tasks"] = [f"{name}-{again}" for again in range(times) for name in block["tasks"]]
    stated["declared_n"] *= times
    (folder / "declared.json").write_text(json.dumps(stated))
    for path in (lines, folder / "first.parquet", *folder.glob("part-*")):
        path.unlink()
    return len(taken.whole) * times


def other(again: int) -> list[pl.Expr]:
    """Columns with other values, as different from row to row as those of a run."""
    found: dict[str, pl.Expr] = {}
    for name in DIGESTS:
        parts = [pl.col(name).hash(again * 4 + part).cast(pl.String).str.pad_start(20, "0") for part in range(4)]
        found[name] = pl.concat_str(parts).str.slice(0, 64)
    for name in DRAWN:
        found[name] = 1 + pl.col(name).hash(again).mod(10**6).cast(pl.Int64)
    found = {name: pl.when(pl.col(name).is_not_null()).then(one) for name, one in found.items()}
    for name in ("tests.expected", "tests.passed", "tests.failed"):
        found[name] = pl.col(name).str.replace_all("::TestCase", f"::TestCase{again}")
    found["key.task_id"] = pl.concat_str([pl.col("key.task_id"), pl.lit(f"-{again}")])
    return [one.alias(name) for name, one in found.items()]


def ours(folder: Path) -> dict[str, object]:
    """Judge the file, to the card."""
    started = time.process_time()
    result = judge_parquet(folder / LEDGER)
    seconds = time.process_time() - started
    return {"seconds": seconds, "mb": bench_judge.peak_mb(), "status": result.judged.verdict.status}


def peer(folder: Path) -> dict[str, object]:
    """Scan the columns that judging reads."""
    names = [name for name in columns() if name not in NEVER_READ]
    started = time.process_time()
    rows = len(pl.scan_parquet(folder / LEDGER).select(names).collect())
    return {"seconds": time.process_time() - started, "mb": bench_judge.peak_mb(), "rows": rows}


SIDES = {"ours": ours, "peer": peer}


def apart(side: str, folder: Path) -> dict[str, object]:
    """One side in a process of its own."""
    done = subprocess.run([sys.executable, __file__, side, str(folder)], stdout=subprocess.PIPE, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def main(count: int) -> int:
    """Make the file, run the sides in turn, print, compare."""
    with tempfile.TemporaryDirectory(prefix="bench-parquet-") as name:
        folder = Path(name)
        made = write(folder, count)
        size = (folder / LEDGER).stat().st_size
        rounds = [{side: apart(side, folder) for side in SIDES} for _ in range(ROUNDS)]
    least = {side: min(one[side]["seconds"] for one in rounds) for side in SIDES}
    ratio = least["ours"] / least["peer"]
    print(f"{made} rows, {size / made:.0f} bytes each; {rounds[-1]['ours']['status']}")
    print("rounds " + ", ".join(f"{one['ours']['seconds']:.1f} / {one['peer']['seconds']:.1f} s" for one in rounds))
    for side, seconds in least.items():
        print(f"{side:<6}{seconds:8.1f} s {made / seconds:9.0f} rows/s {rounds[-1][side]['mb']:5} MB")
    print(f"ratio {ratio:.2f} to polars scanning the same columns (limit {RATIO_MAX})")
    return 0 if ratio <= RATIO_MAX or count < ENOUGH else 1


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(SIDES[sys.argv[1]](Path(sys.argv[2]))))
        sys.exit(0)
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))
