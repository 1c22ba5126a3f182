"""Options that say where things lie, shared by the verbs that open runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from denominator.pipeline.results import Result
    from denominator.pipeline.world import OpenRun
    from denominator.run.layout import RunFolder

runs_dir_option = click.option("--runs-dir", type=click.Path(file_okay=False), help="Folder of runs (default: runs).")


def settings_dir(name: str, given: str | None) -> Path:
    """A folder as settings say it, absolute."""
    from denominator.wiring.settings import read_settings

    settings, _ = read_settings({name: given}, Path.cwd(), os.environ)
    return Path(str(getattr(settings, name))).absolute()


def folder_of(run: str | None, runs_dir: str | None) -> RunFolder:
    """The folder of the run that was named, or of the latest one."""
    from denominator.wiring.opening import find_run, latest_run

    root = settings_dir("runs_dir", runs_dir)
    return find_run(run, root) if run else latest_run(root)


def opened(run: str | None, runs_dir: str | None) -> OpenRun:
    """Open a run for reading."""
    from denominator.adapters.clock import SystemClock
    from denominator.adapters.failpoints import NoFailpoints
    from denominator.wiring.opening import open_run

    return open_run(folder_of(run, runs_dir), SystemClock(), NoFailpoints())


def result_of(run: str | None, runs_dir: str | None) -> Result:
    """The judged result behind a run id, a run's folder or the folder of an import."""
    from denominator.pipeline.results import judge_run, judge_saved

    if run and (Path(run) / "ledger.json").is_file():
        return judge_saved(Path(run))
    return judge_run(opened(run, runs_dir))
