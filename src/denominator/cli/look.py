"""`look`: see how a comparison stands while it is going on, without spoiling it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, print_json, print_page
from denominator.cli.places import opened, runs_dir_option

if TYPE_CHECKING:
    from denominator.pipeline.looking_ahead import Looked
    from denominator.records.events import Json


@click.command()
@click.argument("a")
@click.argument("b")
@runs_dir_option
@json_option
@click.pass_context
def look(ctx: click.Context, /, a: str, b: str, runs_dir: str | None, as_json: bool) -> None:
    """Look at runs A and B while they are going on: an e-process over the tasks that both have finished.

    It may be looked at at any time and stays valid; every look is written down beside both runs. A look that the
    envelope did not declare (comparison.looks) takes the p value away from the comparison that follows.
    Exit 0, 1 a control is violated or both have ended and a number is withheld, 2 unusable, 3 not the same conditions.

    \b
    Example: denominator look 20261129-101500-main 20261129-101500-change
    """
    from denominator.pipeline.looking_ahead import take_look
    from denominator.wiring.world import utc_now

    found = shown(take_look(opened(a, runs_dir), opened(b, runs_dir), utc_now()))
    if as_json:
        print_json(found)
    else:
        _print(found)
    leave(ctx, 0)


def shown(found: Looked) -> dict[str, Json]:
    """A look as plain values; E as a decimal string."""
    from denominator.stats import decimal6

    seen = found.seen
    return {
        "a": found.names[0],
        "b": found.names[1],
        "declared_tasks": seen.declared,
        "finished": seen.finished,
        "more_a": seen.wins,
        "more_b": seen.losses,
        "equal": seen.equal,
        "undecided": seen.undecided,
        "e": decimal6(seen.e),
        "needed": decimal6(seen.needed),
        "least": seen.least,
        "established": seen.established,
        "look": found.number,
        "declared_looks": found.declared,
        "going_on": found.going_on,
        "which": which(found),
    }


def which(found: Looked) -> str:
    """Which look it is, and what it costs."""
    if not found.going_on:
        return "both runs have ended: this is no look, use denominator compare"
    if found.number > found.declared:
        return (
            f"look {found.number}, and {found.declared} were declared: no p value may be printed of this comparison, "
            "only E"
        )
    return f"look {found.number} of {found.declared} declared"


def _print(found: dict[str, Json]) -> None:
    from denominator.cli.pages import terminal_page
    from denominator.publish.terminal.looks import look_lines

    page = terminal_page()
    for line in look_lines(found):
        page.item(line, 0)
    print_page(page)
