"""Copies of the shipped pack under versions of their own, with what the real one has not: broken graders, coins, gaps."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import denominator
from denominator.wire.trees import apply_unified
from e2e import runs

SHIPPED = Path(denominator.__file__).parent / "data" / "packs" / "holdout16"
TASKS = tuple(sorted(path.name for path in (SHIPPED / "tasks").iterdir()))
MADE_TEST = """
import unittest

import tally


class MadeTest(unittest.TestCase):
    def test_nothing(self):
        self.assertTrue(tally)
"""
GOLD_TEST = "diff --git a/tests/test_made.py b/tests/test_made.py\nnew file mode 100644\n--- /dev/null\n+++ b/tests/test_made.py\n"
COIN = """
import os
import unittest


class CoinTest(unittest.TestCase):
    def test_heads(self):
        self.assertTrue(os.urandom(1)[0] & 1)
"""


def gold(task: str) -> str:
    """The patch that solves a task of the shipped pack."""
    return (SHIPPED / "tasks" / task / "gold.patch").read_text()


def altered_pack(folder: Path) -> None:
    """`pack/`: all sixteen tasks; four of them altered so that a fault is in the task itself."""
    root = _copy(folder, "pack", "1.0.0-faults")
    _without_hidden_tests(root / "tasks" / "tally-report")
    runs.edit(
        root / "tasks" / "cache-expiry-tags" / "task.toml",
        "[source]",
        'required_files = ["docs/lifetimes.md"]\n[source]',
    )
    (root / "tasks" / "csv-fields" / "hidden" / "test_fields.py").write_text("def broken(:\n")
    runs.edit(root / "tasks" / "page-count" / "task.toml", "timeout_s = 30", "timeout_s = 900")
    runs.lock(root)


def _without_hidden_tests(task: Path) -> None:
    """The task is graded by a test of the repository that is not there yet: whoever solves it writes it."""
    text = (task / "task.toml").read_text()
    head = text[: text.index("[verify]")].replace('allowed = ["tally/*.py"]', 'allowed = ["tally/*.py", "tests/*.py"]')
    head = head.replace('forbidden = ["tests/**"]', "forbidden = []")
    command = "/usr/bin/python3 -B -m unittest tests.test_made"
    verify = f'[verify]\nrunner = "command"\nlevel = "G1"\ntimeout_s = 30\ncommand = "{command}"\n'
    (task / "task.toml").write_text(head + verify)
    shutil.rmtree(task / "hidden")
    lines = MADE_TEST.splitlines()
    test = f"{GOLD_TEST}@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)
    (task / "gold.patch").write_text((task / "gold.patch").read_text() + test)


def flaky_pack(folder: Path) -> None:
    """`coin/`: one task whose only hidden test tosses a coin, on base and on gold alike."""
    root = _copy(folder, "coin", "1.0.0-coin", "config-interpolation")
    runs.edit(root / "pack.toml", "controls_min = 4\nmulti_file_min = 4", "")
    task = root / "tasks" / "config-interpolation"
    shutil.rmtree(task / "hidden")
    (task / "hidden").mkdir()
    (task / "hidden" / "test_coin.py").write_text(COIN)
    text = (task / "task.toml").read_text()
    ids = 'expected_tests = ["test_coin.CoinTest.test_heads"]\n'
    (task / "task.toml").write_text(text[: text.index("expected_tests")] + ids)
    runs.lock(root)


def solved_files(folder: Path, task: str) -> None:
    """`folder/<task>`: the files of a task that its gold patch changes, as they are afterwards."""
    whole = folder / f".{task}"
    shutil.copytree(SHIPPED / "tasks" / task / "repo", whole)
    apply_unified(whole, gold(task).encode())
    allowed = tomllib.loads((SHIPPED / "tasks" / task / "task.toml").read_text())["allowed"]
    for path in (path for glob in allowed for path in whole.glob(glob)):
        place = folder / task / path.relative_to(whole)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    shutil.rmtree(whole)


def _copy(folder: Path, name: str, version: str, *tasks: str) -> Path:
    root = folder / name
    (root / "tasks").mkdir(parents=True)
    shutil.copyfile(SHIPPED / "pack.toml", root / "pack.toml")
    shipped = tomllib.loads((root / "pack.toml").read_text())["version"]
    runs.edit(root / "pack.toml", f'version = "{shipped}"', f'version = "{version}"')
    for task in tasks or TASKS:
        shutil.copytree(SHIPPED / "tasks" / task, root / "tasks" / task, ignore=shutil.ignore_patterns("__pycache__"))
    return root
