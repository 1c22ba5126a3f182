"""`slip guide`: the procedure on one page."""

from __future__ import annotations

import click

from denominator.cli.output import print_page


@click.command("guide")
def guide() -> None:
    """Print the roles, the steps from a frozen harness to a quote, the rule of tiers, and what no slip is for.

    \b
    Example: denominator slip guide
    """
    from denominator.cli.pages import terminal_page
    from denominator.publish.terminal.slips import guide_page

    page = terminal_page()
    guide_page(page)
    print_page(page)
