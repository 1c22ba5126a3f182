"""`status`: how far a run is."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, print_json, print_text
from denominator.cli.places import opened, runs_dir_option


@click.command()
@click.argument("run", required=False)
@runs_dir_option
@json_option
def status(run: str | None, runs_dir: str | None, as_json: bool) -> None:
    """Show how far RUN is (the latest one when not named). Never touches it.

    \b
    Example: denominator status 2026-11-29-oracle
    """
    from denominator.pipeline.looking import status as read

    found = read(opened(run, runs_dir))
    if as_json:
        print_json(found)
        return
    lines = [
        f"run       {found['run_id']}  (arm {found['arm']}, pack {found['pack']})",
        f"declared  {found['declared']} draws, {found['promised']} attempts promised",
        f"closed    {found['closed']}   open {found['open']}   (started and open {found['started_and_open']})",
    ]
    unknown, waiting = found["unknown_state"], found["open"]
    if isinstance(unknown, list) and unknown:
        lines.append(f"UNKNOWN STATE, a person must look: {', '.join(map(str, unknown))}")
    if waiting:
        lines.append(f"next      denominator resume {found['run_id']}")
    else:
        lines.append(f"next      denominator card {found['run_id']}")
    print_text("\n".join(lines))
