"""Small real packs in temporary folders."""

from __future__ import annotations

from pathlib import Path

PACK = """\
schema_version = 1
id = "tiny"
version = "1.0.0"
title = "Tiny"
license = "MIT"
reason = "convenience"

[selection]
rule = "convenience"
controls_min = {controls}
multi_file_min = 0

[provenance]
authors = ["the authors"]
created = 2026-11-29
"""

TASK = """\
schema_version = 1
id = "{id}"
title = "Add numbers"
slice = "{slice}"
expected = "{expected}"
control = "{control}"
family = "sums"
reason = "carries"
license = "MIT"
multi_file = false
allowed = ["adder/*.py"]
forbidden = ["tests/**"]
{extra}
[source]
kind = "folder"

[verify]
runner = "unittest"
timeout_s = 30
level = "G2"
expected_tests = ["test_sum_even.SumTest.test_big_numbers"]
counter_tests = ["test_opposite.OppositeTest.test_wrong_sum"]
"""

GOLD = """\
--- a/adder/core.py
+++ b/adder/core.py
@@ -1,2 +1,3 @@
 def add(left, right):
-    return left - right
+    carried = [int(digit) for digit in (left, right)]
+    return carried[0] + carried[1]
"""

FILES = {
    "prompt.md": "Make `adder.core.add` add two numbers.\n",
    "repo/adder/__init__.py": "",
    "repo/adder/core.py": "def add(left, right):\n    return left - right\n",
    "repo/README.md": "A small adder.\n",
    "hidden/test_sum_even.py": "import sut\n\n\nassert sut.call('adder.core:add', 20, 22) == 42\n",
    "hidden/test_opposite.py": "import sut\n\n\nassert sut.call('adder.core:add', 20, 22) == 43\n",
    "gold.patch": GOLD,
}


def write(root: Path, files: dict[str, str | bytes | None]) -> None:
    """Write files below a folder; None removes one."""
    for path, content in files.items():
        target = root / path
        if content is None:
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)


def add_task(root: Path, name: str = "sums", *, folder: str = "", extra: str = "", **words: str) -> Path:
    """One more task; `words` are slice, expected, control."""
    values = {"slice": "solvable", "expected": "pass", "control": "", **words}
    where = root / "tasks" / (folder or name)
    files = {"task.toml": TASK.format(id=name, extra=extra, **values), **FILES}
    if values["slice"] == "negative":
        files.pop("gold.patch")
    write(where, files)
    return where


def make_pack(root: Path, *, controls: int = 0) -> Path:
    """A pack with one sound solvable task."""
    write(root, {"pack.toml": PACK.format(controls=controls)})
    add_task(root)
    return root


def edit(path: Path, old: str, new: str) -> None:
    """Replace text that must be there."""
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new))
