"""Options that say where things lie, shared by the verbs that open runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.pipeline.results import Result
    from denominator.pipeline.world import OpenRun
    from denominator.run.layout import RunFolder
    from denominator.wiring.settings import Settings

previous_option = click.option(
    "--previous",
    metavar="RUN",
    help="Hold the seal against this run or seal.json (default: the last one of pack and arm).",
)
new_lineage_option = click.option(
    "--new-lineage", metavar="WHY", help="Hold it against no earlier seal; WHY is sealed and printed."
)
workers_option = click.option(
    "--workers",
    metavar="ENGINE://...",
    default="",
    help="Attempts go to workers: processes://N on this machine, dask://HOST:PORT (docs/workers.md).",
)
LEDGER_FILES = (".jsonl", ".parquet")
ROWS = "ledger.jsonl"
runs_dir_option = click.option("--runs-dir", type=click.Path(file_okay=False), help="Folder of runs (default: runs).")


def settings(runs_dir: str | None = None) -> Settings:
    """The effective settings of this folder, paths absolute."""
    from denominator.wiring.settings import read_settings

    return read_settings({"runs_dir": runs_dir}, Path.cwd(), os.environ)[0]


def typed() -> tuple[str, ...]:
    """The command line that is being carried out, fit to be kept in a journal; empty where there is none."""
    from denominator.wire.typed import covered

    words = click.get_current_context().find_root().obj
    return covered(("denominator", *words), str(Path.home())) if isinstance(words, tuple) else ()


def runs_place(runs_dir: str | None) -> Path:
    """The folder of runs, absolute."""
    return Path(settings(runs_dir).runs_dir)


def default_envelope() -> Path:
    """The envelope that the settings name, as it is written from here."""
    path = Path(settings().envelope)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def folder_of(run: str | None, runs_dir: str | None) -> RunFolder:
    """The folder of the run that was named, or of the latest one. An empty name is a mistake, not the latest run."""
    from denominator.wiring.opening import find_run, latest_run

    root = runs_place(runs_dir)
    if run is None:
        return latest_run(root)
    refuse_empty(run)
    return find_run(run, root)


def refuse_empty(run: str) -> None:
    """An empty name comes from a variable that was not set."""
    if not run.strip():
        raise InputError(
            "the name of the run is empty", where="RUN", fix="name one, or leave it out for the latest run"
        )


def opened(run: str | None, runs_dir: str | None, *, untouched: bool = False) -> OpenRun:
    """Open a run for reading until the verb ends; `untouched`: so that no byte of its folder changes."""
    from denominator.wiring.opening import look_into

    found = look_into(folder_of(run, runs_dir), untouched=untouched)
    click.get_current_context().call_on_close(found.journal.close)
    return found


def result_of(run: str | None, runs_dir: str | None) -> Result:
    """The judged result behind a run id, a run's folder, the folder of an import, or a file of ledger rows."""
    from denominator.pipeline.results import judge_run, judge_saved

    if run and run.endswith(LEDGER_FILES) and not os.path.isdir(run):  # noqa: PTH112
        return _of_file(Path(run))
    if run and os.path.isfile(os.path.join(run, "ledger.json")):  # noqa: PTH113, PTH118
        return judge_saved(Path(run))
    if run and (rows := rows_kept(run)) is not None:
        return _of_file(rows)
    return judge_run(opened(run, runs_dir))


def rows_kept(folder: str) -> Path | None:
    """The file of rows in the folder of an import of many rows; nothing where it is no such folder."""
    path = Path(folder) / ROWS
    return path if path.is_file() and (path.parent / "terms.json").is_file() else None


def _of_file(path: Path) -> Result:
    """Rows of any number, held by kind; the file stays open until the verb ends, for rows that are looked at one by one."""
    if path.suffix == ".parquet":
        from denominator.pipeline.parquet_reading import judge_parquet

        return judge_parquet(path)
    from denominator.pipeline.judging_file import judge_file, open_ledger

    file = open_ledger(path)
    click.get_current_context().call_on_close(file.close)
    return judge_file(path, file)
