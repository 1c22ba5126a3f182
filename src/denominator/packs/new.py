"""`pack init`: a commented pack with one task whose placeholders `pack lint` lists."""

from __future__ import annotations

from pathlib import Path

from denominator.errors import InputError

PACK_TOML = """\
#:schema ./schemas/pack.json
# A pack: a folder of frozen tasks. Everything that starts with REPLACE counts as missing until you fill it in.
# Next: denominator pack lint . ; denominator pack lock .
schema_version = 1
id = "{id}"
# A changed pack is another experiment: raise the version, the lock refuses a new digest under an old one.
version = "0.1.0"
title = "REPLACE: what these tasks are, in a line"
license = "REPLACE: the licence of the tasks, for example MIT"
# Why these tasks? "convenience" is allowed; cards repeat it.
reason = "REPLACE: why these tasks"

[selection]
# The rule by which tasks were taken, and the least numbers that it promises; lint holds the pack to them.
rule = "REPLACE: the rule by which tasks were chosen"
controls_min = 4
multi_file_min = 4

[provenance]
authors = ["REPLACE: who wrote the tasks"]
created = "REPLACE: a date, unquoted, for example 2026-11-29"
# Models that helped to write tasks; a note when one of them is also an arm. [] when none did.
models = []
# Ids that were taken out, each with its reason: "id: why".
retired = []
"""

TASK_TOML = """\
# One task. The agent sees repo/, prompt.md and spec/; never this file, hidden/ or gold.patch.
schema_version = 1
id = "first-task"
title = "REPLACE: the task in a line"
# solvable | negative (then also: control) | canary | floor
slice = "solvable"
# pass | fail | abstain | fail_or_abstain
expected = "pass"
reason = "REPLACE: why this task is in the pack"
license = "REPLACE: the licence of the repository"
family = ""
# Does the gold patch touch more than one file?
multi_file = false
# Globs relative to repo/. Anything outside is a scope slip; `forbidden` wins over `allowed`.
allowed = ["src/**"]
forbidden = []

[source]
# folder: repo/ is the source. git: url and the full 40-digit commit; the snapshot still lies in repo/ (no fetch).
kind = "folder"

[verify]
# How hidden tests are run, and how far the solution is kept from the verdict (G1, G2, G3).
runner = "unittest"
level = "G2"
timeout_s = 60
# Exact ids that a right solution turns green, and at least one that a right solution must fail.
expected_tests = ["test_first.FirstTest.test_it"]
counter_tests = ["test_counter.CounterTest.test_must_fail"]
"""

PROMPT = """\
REPLACE: state the behaviour that is wanted, never the patch. Do not name hidden tests or their files.
"""

FILES = {
    "tasks/first-task/task.toml": TASK_TOML,
    "tasks/first-task/prompt.md": PROMPT,
    "tasks/first-task/repo/README.md": "The files that the agent starts from.\n",
    "tasks/first-task/hidden/test_first.py": (
        "import unittest\n\nimport sut\n\n\nclass FirstTest(unittest.TestCase):\n    def test_it(self):\n"
        '        self.assertEqual(sut.call("src.first:answer"), 42)\n'
    ),
    "tasks/first-task/hidden/test_counter.py": (
        "import unittest\n\nimport sut\n\n\nclass CounterTest(unittest.TestCase):\n    def test_must_fail(self):\n"
        '        self.assertEqual(sut.call("src.first:answer"), 43)\n'
    ),
}


def init_pack(folder: Path) -> tuple[str, ...]:
    """Write the skeleton into a new or empty folder; returns the paths written."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("the folder is not empty; nothing was written", where=str(folder), fix="name a new folder")
    for path, text in {"pack.toml": PACK_TOML.format(id=_id(folder)), **FILES}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return ("pack.toml", *FILES)


def _id(folder: Path) -> str:
    kept = "".join(char if char.isascii() and char.isalnum() else "-" for char in folder.absolute().name.lower())
    return kept.strip("-") or "my-pack"
