"""docs/examples/foreign is what the commands print; `python tests/samples/test_foreign_example.py` makes its blocks again."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))  # where it is run by itself

from warm import denominator as started  # noqa: E402

PAGE = ROOT / "docs" / "examples" / "foreign" / "README.md"
BLOCK = re.compile(r"```sample\n(.*?)```", re.S)
DIGEST = re.compile(r"rules [0-9a-f]{12}")
SHOWN = 46
"""Longer output is cut after so many lines."""


def played(samples: Path) -> str:
    """The page, with every block as its commands print it."""
    with TemporaryDirectory() as name:
        here = Path(name)
        (here / "samples").symlink_to(samples)
        for file in PAGE.parent.glob("*.toml"):
            shutil.copy(file, here)
        return BLOCK.sub(lambda block: f"```sample\n{_block(block[1], here)}```", PAGE.read_text(encoding="utf-8"))


def _block(text: str, here: Path) -> str:
    return "".join(_printed(line[2:], here) for line in text.splitlines() if line.startswith("$ "))


def _printed(command: str, here: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("DENOMINATOR_", "COLUMNS"))}
    process = started(shlex.split(command)[1:], cwd=here, env=clean, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = process.communicate()[0].decode().rstrip().splitlines()
    cut = [*lines[:SHOWN], f"[{len(lines) - SHOWN} more lines]"] if len(lines) > SHOWN + 1 else lines
    code = f"[exit {process.returncode}]\n" if process.returncode else ""
    return f"$ {command}\n" + "".join(f"{line}\n" for line in cut) + code


def test_every_block_is_what_the_commands_print():
    from foreign_data import sample

    assert DIGEST.sub("", played(sample())) == DIGEST.sub("", PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(
        played(Path(os.environ.get("DENOMINATOR_SAMPLES", ROOT.parent / "shared" / "samples"))), encoding="utf-8"
    )
