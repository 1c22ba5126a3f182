"""`slip guide`: the procedure on one page."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, print_json, print_page


@click.command("guide")
@json_option
def guide(as_json: bool) -> None:
    """Print the roles, the steps from a frozen harness to a quote, the rule of tiers, and what no slip is for.

    \b
    Example: denominator slip guide
    """
    from denominator.cli.pages import terminal_page
    from denominator.publish.terminal.slips import GUIDE, guide_page

    if as_json:
        return print_json({title.lower(): list(lines) for title, lines in GUIDE})
    page = terminal_page()
    guide_page(page)
    return print_page(page)
