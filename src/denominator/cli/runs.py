"""`runs`: what runs there are, and what dead ones left behind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, note, print_json, print_text
from denominator.cli.places import runs_dir_option, runs_place, settings
from denominator.errors import DenominatorError, Exit

if TYPE_CHECKING:
    from denominator.records.events import Json


@click.group()
def runs() -> None:
    """List runs, keep their calls, remove what dead ones left."""


@runs.command("ls")
@runs_dir_option
@json_option
@click.pass_context
def list_runs(ctx: click.Context, runs_dir: str | None, as_json: bool) -> None:
    """List the runs of a folder. Exit 2 when one of them cannot be read; the others are listed all the same.

    \b
    Example: denominator runs ls
    """
    from denominator.wiring.opening import list_runs as find

    root = runs_place(runs_dir)
    rows = [_row(path) for path in find(root)]
    if as_json:
        print_json(list(rows))
    elif not rows:
        print_text(f"no runs in {root}")
    else:
        width = max(len(str(row["run_id"])) for row in rows)
        print_text("\n".join(f"{row['run_id']!s:<{width}}  {_line(row)}" for row in rows))
    leave(ctx, Exit.USAGE if any("unreadable" in row for row in rows) else Exit.DONE)


def _row(path: Path) -> dict[str, Json]:
    from denominator.pipeline.looking import status
    from denominator.run.layout import RunFolder
    from denominator.wiring.opening import look_into

    try:
        run = look_into(RunFolder(path))
        try:
            return status(run)
        finally:
            run.journal.close()
    except (DenominatorError, OSError) as error:
        return {"run_id": path.name, "unreadable": error.what if isinstance(error, DenominatorError) else str(error)}


def _line(row: dict[str, Json]) -> str:
    if "unreadable" in row:
        return f"UNREADABLE: {row['unreadable']}"
    from denominator.cli.status import is_open

    state = "UNKNOWN STATE" if row["unknown_state"] else "open" if is_open(row) else "finished"
    return f"{row['arm']!s:<16} {row['pack']!s:<20} {row['closed']}/{row['promised']} closed  {state}"


@runs.command("gc", short_help="Remove what finished and dead runs left behind.")
@runs_dir_option
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@json_option
def collect(runs_dir: str | None, dry_run: bool, as_json: bool) -> None:
    """Remove scratch folders of finished runs, caches of baselines older than a day, temporary folders and containers
    of dead harnesses.

    \b
    Example: denominator runs gc --dry-run
    """
    from itertools import chain

    from denominator.wiring.housekeeping import collect_garbage
    from denominator.wiring.world import sweep_containers, sweep_folders

    chosen = settings(runs_dir)
    gone: list[Json] = []
    containers = ((f"container {each[:12]}", "its harness is dead") for each in sweep_containers(dry_run))
    folders = collect_garbage(Path(chosen.runs_dir), Path(chosen.cache_dir), dry_run, left=note)
    temporary = ((path, "its process was killed") for path in sweep_folders(dry_run))
    for path, why in chain(folders, temporary, containers):
        gone.append({"path": str(path), "why": why})
        if not as_json:
            print_text(f"{'would remove' if dry_run else 'removed'} {path}  ({why})")
    if as_json:
        print_json({"dry_run": dry_run, "removed": gone})
    elif not gone:
        print_text("nothing to remove")


@runs.command("cassette", short_help="Keep what a model answered, to play it again offline.")
@click.argument("run", required=False)
@click.option("-o", "out", required=True, metavar="FOLDER", help="The folder to write; an existing one stays as it is.")
@click.option(
    "--volatile", multiple=True, metavar="PLACE", help="A place of a request that may differ (messages.*.id)."
)
@runs_dir_option
@json_option
def cassette(run: str | None, out: str, volatile: tuple[str, ...], runs_dir: str | None, as_json: bool) -> None:
    """Write every call of a finished run, with what came back, into a folder that an envelope can name under [gateway].

    \b
    Example: denominator runs cassette 20261130-081500-careful -o tape
    """
    from denominator.cli.places import opened
    from denominator.wire.codec import to_json
    from denominator.wiring.cassettes import make_cassette

    made = make_cassette(opened(run, runs_dir), Path(out), volatile, os.environ)
    if as_json:
        print_json({"folder": out, "cassette": to_json(made)})
        return
    left = "".join(f", {count} {word} left out" for word, count in made.left_out.items())
    print_text(
        f"{out}: {made.calls} calls of {made.attempts} attempts of run {made.run_id}{left}\n"
        f'next: cassette = "{out}" under [gateway] of its envelope, then denominator run'
    )


@runs.command("pull", short_help="Copy a finished run's journal from its server into its folder.")
@click.argument("run", required=False)
@runs_dir_option
@json_option
def pull(run: str | None, runs_dir: str | None, as_json: bool) -> None:
    """Make the folder of a finished run whole: journal and blobs, with the same chain of digests.

    A run does this itself when it ends; this is for a run whose process died just before. Exit 4 while it is open.

    \b
    Example: denominator runs pull 20261130-081500-careful
    """
    from denominator.adapters.clock import SystemClock
    from denominator.adapters.failpoints import NoFailpoints
    from denominator.cli.places import opened
    from denominator.wiring.journals import copy_home

    found = opened(run, runs_dir)
    copied = copy_home(found, SystemClock(), NoFailpoints())
    if as_json:
        print_json({"run_id": found.run_id, "copied": copied})
    else:
        print_text(
            f"{found.run_id}: " + ("journal and blobs are in its folder" if copied else "they always were there")
        )


@runs.command("parquet", short_help="Write the rows of a ledger as Parquet.")
@click.argument("run", required=False)
@click.option("-o", "out", required=True, metavar="FILE", help="The file to write; an existing one stays as it is.")
@runs_dir_option
@json_option
def parquet(run: str | None, out: str, runs_dir: str | None, as_json: bool) -> None:
    """Write the rows of a run, or of a ledger.jsonl, as Parquet; card and gate read it where it lies beside its terms.

    \b
    Example: denominator runs parquet out/ledger.jsonl -o out/ledger.parquet
    """
    from denominator.cli.places import result_of
    from denominator.pipeline.parquet_writing import write_parquet

    rows = write_parquet(result_of(run, runs_dir).ledger, Path(out))
    if as_json:
        print_json({"file": out, "rows": rows})
    else:
        print_text(f"{out}: {rows} rows\nnext: denominator card {out}")
