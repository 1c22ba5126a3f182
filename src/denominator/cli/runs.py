"""`runs`: what runs there are, and what dead ones left behind."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, print_json, print_text
from denominator.cli.places import runs_dir_option, settings_dir


@click.group()
def runs() -> None:
    """List runs, and remove what dead ones left behind."""


@runs.command("ls")
@runs_dir_option
@json_option
def list_runs(runs_dir: str | None, as_json: bool) -> None:
    """List the runs of a folder.

    \b
    Example: denominator runs ls
    """
    from denominator.pipeline.looking import status
    from denominator.wiring.opening import list_runs as find

    root = settings_dir("runs_dir", runs_dir)
    rows = [status(_opened(path.name, root)) for path in find(root)]
    if as_json:
        print_json(list(rows))
    elif not rows:
        print_text(f"no runs in {root}")
    else:
        width = max(len(str(row["run_id"])) for row in rows)
        for row in rows:
            state = "open" if row["open"] else "finished"
            print_text(
                f"{row['run_id']!s:<{width}}  {row['arm']!s:<16} {row['pack']!s:<20} "
                f"{row['closed']}/{row['promised']} closed  {state}"
            )


@runs.command("gc")
@runs_dir_option
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def collect(runs_dir: str | None, dry_run: bool) -> None:
    """Remove scratch folders of finished runs and caches of baselines older than a day.

    \b
    Example: denominator runs gc --dry-run
    """
    from denominator.wiring.housekeeping import collect_garbage

    for path, why in collect_garbage(settings_dir("runs_dir", runs_dir), settings_dir("cache_dir", None), dry_run):
        print_text(f"{'would remove' if dry_run else 'removed'} {path}  ({why})")


def _opened(name: str, root: object):  # type: ignore[no-untyped-def]
    from denominator.cli.places import opened

    return opened(name, str(root))
