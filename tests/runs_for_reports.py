"""A demonstration and its reports, made by the command line."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from kept import cache_home
from warm import denominator


def make_reports(folder: Path) -> dict[str, Path]:
    """Pages by name: run, blocked, pair, refused; and what the verb said of the first, as JSON."""
    _say(folder, "demo", "-q")
    runs = {one.name.rpartition("-")[2]: one.name for one in sorted((folder / "runs").iterdir())}
    _say(folder, "report", runs["careful"], "-o", "run.html")
    said = _say(folder, "report", runs["careful"], "--json")
    (folder / "said.json").write_text(said)
    _say(folder, "report", runs["hasty"], code=1)
    _say(folder, "report", runs["oracle"], runs["careful"], "--treatment", "agent_id", "-o", "pair.html")
    _say(folder, "report", runs["oracle"], runs["hasty"], code=3)
    return {
        "run": folder / "run.html",
        "said": folder / "said.json",
        "blocked": folder / "runs" / runs["hasty"] / "report.html",
        "pair": folder / "pair.html",
        "refused": folder / "runs" / runs["oracle"] / f"report-{runs['hasty']}.html",
    }


def _say(folder: Path, *args: str, code: int = 0) -> str:
    settings = {"XDG_CACHE_HOME": cache_home(folder), "NO_COLOR": "1"}
    process = denominator(
        args, cwd=folder, env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, (args, err[-2000:])
    return out
