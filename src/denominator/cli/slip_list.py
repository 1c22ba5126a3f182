"""`slip list`: the slips beside the runs."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, leave, note, print_json, print_page
from denominator.cli.places import runs_dir_option
from denominator.cli.slip_shown import shown_number, standing_json, store_of


@click.command("list")
@runs_dir_option
@json_option
@click.pass_context
def list_(ctx: click.Context, runs_dir: str | None, as_json: bool) -> None:
    """List every slip with its tier and number, in the order in which they were made.

    Exit 2 where one of them cannot be read, or was changed; the others are listed all the same.

    \b
    Example: denominator slip list --json
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.slip_store import standings
    from denominator.publish.terminal.slips import list_page

    found, broken = standings(store_of(runs_dir))
    if as_json:
        print_json({"slips": [standing_json(one) for one in found], "broken": [str(one) for one in broken]})
    else:
        page = terminal_page()
        list_page(page, found, [shown_number(one) for one in found])
        print_page(page)
    for error in broken:
        note(f"denominator: {error}")
    leave(ctx, 2 if broken else 0)
