"""The command line in a session of its own, so that it can be killed with all that is below it; what it says is in a file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from warm import denominator


def start(folder: Path, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen[Any]:
    """`denominator ARGS` in `folder`; nobody reads along, so what it says is in `folder/said`."""
    kept = {name: value for name, value in os.environ.items() if name != "DENOMINATOR_FAILPOINTS"}
    with (folder / "said").open("wb") as said:
        return denominator(
            args,
            cwd=folder,
            env=kept | {"XDG_CACHE_HOME": str(folder / "cache")} | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def finish(process: subprocess.Popen[Any], folder: Path) -> int:
    """The exit code, minus the signal's number where one ended it. A traceback is an error of the test."""
    code = process.wait(180)
    said = (folder / "said").read_text(errors="replace")
    assert "Traceback" not in said, said
    return code
