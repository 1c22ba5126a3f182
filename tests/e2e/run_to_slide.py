"""Plays the commands of docs/examples/run-to-slide.md, in processes or in this one, and masks what is of one run alone."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from denominator.cli.main import run_cli

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "examples" / "run-to-slide.md"
FILES = PAGE.with_suffix("")
SLIPS = ROOT / "docs" / "slips"
PLAYED = FILES / "played.sha256"
QUOTING = "## The README"
"""From here on a page needs slips and no run."""
BLOCK = re.compile(r"```text\n(\$ .*?)```", re.S)
BOX = 'box_shared = "no"\nbox_reclaimable = "no"\n[quote]\nmax_age_days = 0\n'
MASKS = (
    (re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?"), "DAY"),
    (re.compile(r"\b[0-9a-f]{8,64}\b"), "HEX"),
    (re.compile(r"\s+"), " "),
)


def masked(text: str) -> str:
    """Text without digests, days, and the places where lines break."""
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return text


def folder_of(place: Path) -> Path:
    """The folder that the page asks for."""
    for name in ("envelope.toml", "script.py", "slide.py"):
        shutil.copyfile(FILES / name, place / name)
    (place / "denominator.toml").write_text(BOX)
    return place


def played(text: str, run: Callable[[str], str]) -> str:
    """The text with every block as `run` prints it."""

    def block(found: re.Match[str]) -> str:
        commands = [line for line in found[1].splitlines() if line.startswith("$ ")]
        return "```text\n" + "".join(f"{line}\n{run(line[2:])}" for line in commands) + "```"

    return BLOCK.sub(block, text)


def by_bash(command: str) -> str:
    """One command in a shell of its own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False, env=env, timeout=600
    )
    return shown(done.stdout, done.returncode if "denominator" in command else None)


def shown(out: str, code: int | None) -> str:
    """What was printed, and how a command of ours ended."""
    return "".join(f"{one}\n" for one in (out.rstrip(), "" if code is None else f"[exit {code}]") if one)


def in_process(command: str) -> str:
    """One command of the quoting part, with what bash would do to it: `> FILE` and `| grep -E`."""
    words = shlex.split(command)
    target = words[words.index(">") + 1] if ">" in words else ""
    pipe = words[words.index("|") + 3] if "|" in words else ""
    words = words[: min(words.index(one) for one in (">", "|") if one in words)] if target or pipe else words
    out, code = io.StringIO(), None
    with redirect_stdout(out):
        if words[0] == "denominator":
            code = run_cli(words[1:])
        elif words[0] == "echo":
            sys.stdout.write(words[1] + "\n")
        else:
            runpy.run_path(words[1])["main"](words[2:])
    text = out.getvalue()
    if pipe:
        text = "".join(f"{line}\n" for line in text.splitlines() if re.search(pipe, line))
    if target:
        Path(target).write_text(text)
        text = ""
    return shown(text, code)


def ids_in(folder: Path) -> list[str]:
    """Ids of the slips of a folder, the oldest first."""
    made = {path.stem: json.loads(path.read_bytes())["made_at"] for path in folder.glob("*.json")}
    return sorted(made, key=lambda one: made[one])


def digest_of(page: str) -> str:
    """What the slow part of the page says and is made from: a page that was edited by hand has another."""
    text = masked(page.partition(QUOTING)[0]) + "".join(
        (FILES / name).read_text("utf-8") for name in ("envelope.toml", "script.py")
    )
    return hashlib.sha256(text.encode()).hexdigest()
