"""`slip check`: what moved between two slips."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, leave, print_json, print_page
from denominator.cli.places import runs_dir_option
from denominator.cli.slip_shown import store_of


@click.command("check")
@click.argument("old")
@click.argument("new")
@runs_dir_option
@json_option
@click.pass_context
def check(ctx: click.Context, old: str, new: str, runs_dir: str | None, as_json: bool) -> None:
    """Hold slip NEW against slip OLD (ids of at least 8 digits, or files .json): every field that moved, by name.

    Exit 0 the same measurement, 3 something moved (only the box: internal at most; anything else: not to be quoted),
    1 the same, but a number of them is withheld, 2 unusable. The difference is printed after the verdict, and only
    where nothing but the box moved. Unknown matches nothing.

    \b
    Example: denominator slip check ab12cd34 99fe01aa
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.slipping import held_against
    from denominator.publish.terminal.slips import check_page
    from denominator.wire.codec import to_json

    verdict, delta = held_against(store_of(runs_dir), old, new)
    if as_json:
        print_json({"check": to_json(verdict), "delta": delta, "exit": verdict.exit})
    else:
        page = terminal_page()
        check_page(page, verdict, delta)
        print_page(page)
    leave(ctx, verdict.exit)
