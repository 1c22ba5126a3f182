"""`status`: how far a run is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.cli.places import opened, runs_dir_option
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.records.events import Json


@click.command()
@click.argument("run", required=False)
@runs_dir_option
@json_option
@click.pass_context
def status(ctx: click.Context, run: str | None, runs_dir: str | None, as_json: bool) -> None:
    """Show how far RUN is (the latest one when not named). Never touches it.

    Exit 0 finished, 4 promises still open, 5 unknown state.

    \b
    Example: denominator status 2026-11-29-oracle
    """
    from denominator.pipeline.looking import status as read

    found = read(opened(run, runs_dir))
    print_json(found) if as_json else print_text("\n".join(_lines(found)))
    leave(ctx, Exit.UNKNOWN_STATE if found["unknown_state"] else Exit.OPEN if is_open(found) else Exit.DONE)


def is_open(found: Mapping[str, Json]) -> bool:
    """Is anything left to do? Warm-ups and probes are in no count, and a run without them has not ended."""
    return bool(found["open"] or found["unpromised"] or found["aside_open"])


def _lines(found: Mapping[str, Json]) -> list[str]:
    lines = [
        f"run       {found['run_id']}  (arm {found['arm']}, pack {found['pack']})",
        f"declared  {found['declared']} draws, {found['promised']} attempts promised",
        f"closed    {found['closed']}   open {found['open']}   (started and open {found['started_and_open']})",
    ]
    if found["aside_open"]:
        lines.append(f"also open {found['aside_open']} warm-ups or narration probes, which no count holds")
    if found["never_started"]:
        lines.append(f"never started {found['never_started']}: the cap of the run is reached")
    unknown = found["unknown_state"]
    if isinstance(unknown, list) and unknown:
        lines.append(f"UNKNOWN STATE, a person must look: {', '.join(map(str, unknown))}")
    if found["chain_checked_after"]:
        lines.append(
            f"chain     walked after event {found['chain_checked_after']}; resume, card and gate walk all of it"
        )
    if is_open(found):
        lines.append(f"next      denominator resume {found['run_id']}")
    else:
        lines.append(f"next      denominator card {found['run_id']}")
    return lines
