"""Rows of docs/evidence/faultbench.md: what each fault of a bench showed. `faultbench_table.py FOLDER...`"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HEAD = ("fault", "trials", "reached", "interrupted", "correct pass", "twice", "never", "paid again", "2nd resume no-op")
Row = dict[str, Any]


def main(folders: list[str]) -> None:
    """One table a bench."""
    for folder in map(Path, folders):
        manifest = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
        trials = [json.loads(line) for line in (folder / "trials.jsonl").read_text(encoding="utf-8").splitlines()]
        print(f"\n{manifest['runner']['name']}, {len(manifest['task_ids'])} tasks, {len(trials)} trials\n")
        print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
        for name in dict.fromkeys((row["fault"], row["control"]) for row in trials):
            print(line(name, [row for row in trials if (row["fault"], row["control"]) == name]))
        for each in manifest["skipped"]:
            print(f"| `{each['fault']}` | skipped: {each['why']} |")


def line(name: tuple[str, str], rows: list[Row]) -> str:
    """What all trials of one fault showed."""
    fault, control = name
    times = [one["times"] for row in rows for one in row["applied"] if isinstance(one["times"], int)]
    noop = [row["second_resume_noop"] for row in rows if isinstance(row["second_resume_noop"], bool)]
    title = (f"`{fault}`" if fault else "no fault") + (f" ({control} control)" if control else "")
    cells = (
        title,
        len(rows),
        sum(row["fired"] for row in rows),
        sum(row["interrupted"] is True for row in rows),
        sum(row["ended"] == row["expected"] for row in rows),
        sum(number > 1 for number in times),
        sum(number == 0 for number in times),
        again(rows),
        f"{sum(noop)}/{len(noop)}" if noop else "-",
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def again(rows: list[Row]) -> str:
    """Calls, tokens and milliseconds that were spent again, summed; "-" where nobody knows."""
    sums = []
    for field, unit in (("replay_calls", "calls"), ("replay_tokens", "tokens"), ("replay_ms", "ms")):
        known = [row[field] for row in rows if isinstance(row[field], int)]
        if len(known) != len(rows):
            return "-"
        sums.append(f"{sum(known)} {unit}")
    return ", ".join(sums)


if __name__ == "__main__":
    main(sys.argv[1:])
