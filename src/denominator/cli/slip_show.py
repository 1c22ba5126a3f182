"""`slip show`: a slip as it stands."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, leave, note, print_raw
from denominator.cli.places import runs_dir_option
from denominator.cli.slip_shown import print_slip, store_of
from denominator.errors import InputError


@click.command("show")
@click.argument("slip_id", metavar="ID")
@click.option("--markdown", is_flag=True, help="As Markdown, for a wiki or a pull request.")
@click.option("--intoto", is_flag=True, help="As an in-toto Statement v1 (not signed), for a machine.")
@click.option(
    "--for", "audience", default="", metavar="AUDIENCE", help="May they see it: team, docs, posts, deck, customers?"
)
@runs_dir_option
@json_option
@click.pass_context
def show(
    ctx: click.Context,
    slip_id: str,
    markdown: bool,
    intoto: bool,
    audience: str,
    runs_dir: str | None,
    as_json: bool,
) -> None:
    """Show the slip ID: its number, tier, footnote, why the tier is no higher, what lifts it, and every field.

    With --for: exit 1 where that audience may not see it. Contracts, SLAs and prices are always refused.

    \b
    Example: denominator slip show ab12cd34 --markdown
             denominator slip show ab12cd34 --for deck
             denominator slip show ab12cd34 --intoto > slip.intoto.json
    """
    from denominator.pipeline.slip_statement import statement_of
    from denominator.pipeline.slipping import refuse_audience, stands
    from denominator.slips.markdown import markdown as page_of

    if markdown + intoto + as_json > 1:
        raise InputError("one document on stdout", where="slip show", fix="one of --json, --markdown, --intoto")
    one = stands(store_of(runs_dir), slip_id)
    why = refuse_audience(one, audience) if audience else ""
    if intoto:
        print_raw(statement_of(one).decode().rstrip("\n"))
    elif markdown:
        print_raw(page_of(one))
    else:
        print_slip(one, as_json=as_json, whole=True)
    if why:
        note(f"slip show: not for {audience}: {why}")
    leave(ctx, 1 if why else 0)
