"""`card`: the published result of a run, counts first."""

from __future__ import annotations

import click

from denominator.cli.output import brief_option, json_option, leave, print_card, print_json
from denominator.cli.places import result_of, runs_dir_option


@click.command()
@click.argument("run", required=False)
@runs_dir_option
@brief_option
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Every metric by its name, those without a number too.")
@click.pass_context
def card(ctx: click.Context, run: str | None, runs_dir: str | None, brief: bool, as_json: bool, verbose: bool) -> None:
    """Print the card of RUN (a run id, its folder, or the folder of an import; default: the latest run).

    A LEDGER.jsonl (rows in our own format beside its seal.json or terms.json) is judged in bounded memory.

    A number that the gate withholds is not on it. Exit 0 publishable, 1 blocked, 4 promises still open.

    \b
    Example: denominator card 2026-11-29-oracle --json
    """
    from denominator.wire.codec import to_json

    result = result_of(run, runs_dir)
    if as_json:
        print_json(to_json(result.card))
    else:
        print_card(result.card, brief, verbose)
    leave(ctx, result.exit)
