"""`card`: the published result of a run, counts first."""

from __future__ import annotations

import shutil

import click

from denominator.cli.output import json_option, leave, print_json, print_text, use_color
from denominator.cli.places import result_of, runs_dir_option


@click.command()
@click.argument("run", required=False)
@runs_dir_option
@json_option
@click.pass_context
def card(ctx: click.Context, run: str | None, runs_dir: str | None, as_json: bool) -> None:
    """Print the card of RUN (a run id, its folder, or the folder of an import; default: the latest run).

    A number that the gate withholds is not on it. Exit 0 publishable, 1 blocked, 4 promises still open.

    \b
    Example: denominator card 2026-11-29-oracle --json
    """
    from denominator.publish.terminal import render_card
    from denominator.wire.codec import to_json

    result = result_of(run, runs_dir)
    if as_json:
        print_json(to_json(result.card))
    else:
        width = min(shutil.get_terminal_size((80, 24)).columns, 100)
        print_text(render_card(result.card, width, color=use_color()))
    leave(ctx, result.exit)
