"""`quote list`: where is a slip quoted? What one needs to know when it is revoked."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.cli.quote_places import paths_argument, slips_option, slips_place


@click.command("list")
@click.argument("slip")
@paths_argument
@slips_option
@json_option
@click.pass_context
def list_(ctx: click.Context, slip: str, paths: tuple[Path, ...], slips: Path | None, as_json: bool) -> None:
    """List every place in PATHS that cites SLIP, alone or in a pair.

    \b
    Example: denominator quote list ab12cd34 README.md docs
    """
    from denominator.pipeline.quote_checking import files_in
    from denominator.pipeline.quote_fixing import places_of, slip_prefix
    from denominator.pipeline.quote_slips import slips_in

    found, _ = slips_in(slips_place(slips))
    places = places_of(slip_prefix(slip), files_in(paths), found)
    if as_json:
        print_json({"slip": slip, "places": [{"where": one.where, "text": one.text} for one in places]})
    else:
        print_text("\n".join(f"{one.where} {one.text}" for one in places) or "quoted nowhere in these files")
    leave(ctx, 0)
