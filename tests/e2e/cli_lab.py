"""A folder in which the command line has really run once, for tests that then read it, damage copies of it, or get it wrong."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from e2e.runs import FOUR, envelope, lock
from kept import cache_home
from warm import denominator

SCRIPT = """
schema_version = 1

[[task]]
id = "clamp-low"
[[task.step]]
run = "printf 'seen \\\\033[31mred\\\\033[0m \\\\007'; sed -i 's/return min(value, high)/return max(low, min(value, high))/' bounds.py"

[[task]]
id = "count-words"
[[task.step]]
write = "wordy.py"
content = "def count(text):\\n    return len(text.split(None, 1))\\n"

[[task]]
id = "double-it"
[[task.step]]
run = "sed -i 's/return n/return n + n/' twice.py"
"""
ANSI = "\x1b["
FAULTS = ("Traceback", "E008")


@dataclass(frozen=True)
class Said:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


def checked(said: Said) -> Said:
    """Whatever was typed, denominator never blames itself and never shows a traceback."""
    assert not any(fault in said.err for fault in FAULTS), said.err
    return said


def environment(folder: Path, extra: dict[str, str] | None = None) -> dict[str, str]:
    """Nothing of the caller's settings, everything written stays in `folder`, but for the baselines of the session."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DENOMINATOR_")}
    kept = {name: value for name, value in kept.items() if name not in ("CI", "NO_COLOR", "PYTHONIOENCODING")}
    places = {"XDG_CACHE_HOME": cache_home(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    return kept | places | (extra or {})


def process(folder: Path, *args: str, env: dict[str, str] | None = None, stdin: str | None = None) -> Said:
    """The command line as a process of its own."""
    with denominator(
        args,
        cwd=folder,
        env=environment(folder, env),
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="surrogateescape",
    ) as child:
        try:
            out, err = child.communicate(stdin, timeout=180)
        except BaseException:
            child.kill()
            raise
    return checked(Said(child.returncode, out, err))


def shell_line(folder: Path, line: str, env: dict[str, str] | None = None) -> Said:
    """A line of bash in which `denominator` is our program."""
    text = f'denominator() {{ {sys.executable} -m denominator "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-c", text], cwd=folder, env=environment(folder, env), capture_output=True, text=True, timeout=60
    )
    return checked(Said(done.returncode, done.stdout, done.stderr))


def terminal(
    folder: Path, *args: str, typed: bytes = b"", env: dict[str, str] | None = None, own_stdout: bool = False
) -> Said:
    """The command line at a pseudo terminal; `typed` is sent when a prompt shows. With `own_stdout` stdout is a file."""
    outer, inner = pty.openpty()
    # A file, because a pipe that nobody reads meanwhile would hold the child back.
    with tempfile.TemporaryFile() as stdout:
        child = subprocess.Popen(
            [sys.executable, "-m", "denominator", *args],
            cwd=folder,
            env=environment(folder, {"TERM": "xterm", **(env or {})}),
            stdin=inner,
            stdout=stdout if own_stdout else inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        seen = _converse(outer, typed)
        code = child.wait(30)
        os.close(outer)
        stdout.seek(0)
        out = stdout.read()
    return checked(Said(code, out.decode(), seen.decode("utf-8", "replace")))


def _converse(outer: int, typed: bytes, timeout_s: float = 90) -> bytes:
    seen, end = b"", time.monotonic() + timeout_s
    while time.monotonic() < end:
        ready, _, _ = select.select([outer], [], [], 0.2)
        try:
            data = os.read(outer, 65536) if ready else None
        except OSError:  # the other end is gone
            return seen
        if data == b"":
            return seen
        seen += data or b""
        if typed and (b"$ " in seen or b"# " in seen):
            os.write(outer, typed)
            typed = b""
    return seen


def arm_envelope(label: str, agent: str, **more: str) -> str:
    """A complete envelope of one arm over the four-task pack."""
    return envelope([{"label": label, "agent": agent, **more}], pack="four")


def make_lab(folder: Path) -> Path:
    """A locked pack, envelopes of a scripted agent and of the oracle."""
    shutil.copytree(FOUR, folder / "four")
    lock(folder / "four")
    (folder / "script.toml").write_text(SCRIPT)
    (folder / "envelope.toml").write_text(arm_envelope("script", "script", script="script.toml"))
    (folder / "oracle.toml").write_text(arm_envelope("oracle", "oracle"))
    return folder


def copy_run(lab: Path, folder: Path, run_id: str = "window-script") -> Path:
    """A copy of a real run that may be damaged; returns its folder, `folder` is its --runs-dir."""
    shutil.copytree(lab / "runs" / run_id, folder / run_id)
    return folder / run_id


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes, without what SQLite keeps beside a database that is open."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(("-shm", "-wal"))]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def cards(text: str) -> Sequence[str]:
    """The run ids of the cards in a text, in order."""
    return [line.split()[1].rstrip(",") for line in text.splitlines() if line.startswith("run ")]
