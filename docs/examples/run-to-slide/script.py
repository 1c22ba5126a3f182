"""Writes script.toml: reference patches for six of the eight solvable tasks of the built-in pack, drawn by a seed.

An agent without a model that fails two tasks and leaves every control alone: the example needs a number that is neither 0 nor 1.
"""

import hashlib
import json
import sys
import tomllib
from importlib.resources import files

SEED, SOLVED = 7, 6


def main() -> None:
    """One `[[task]]` a task, sorted by name."""
    tasks = files("denominator") / "data" / "packs" / "holdout16" / "tasks"
    slices = {one.name: tomllib.loads((one / "task.toml").read_text("utf-8"))["slice"] for one in tasks.iterdir()}
    solvable = sorted(name for name, slice_ in slices.items() if slice_ == "solvable")
    drawn = sorted(solvable, key=lambda name: hashlib.sha256(f"{SEED} {name}".encode()).digest())[:SOLVED]
    chosen = {*drawn, *(name for name, slice_ in slices.items() if slice_ == "floor")}
    sys.stdout.write("schema_version = 1\n")
    for name in sorted(slices):
        sys.stdout.write(f'\n[[task]]\nid = "{name}"\n\n[[task.step]]\nrun = "cat README.md"\n')
        if name in chosen:
            patch = (tasks / name / "gold.patch").read_text("utf-8")
            sys.stdout.write(f"\n[[task.step]]\npatch = {json.dumps(patch)}\n")


main()
