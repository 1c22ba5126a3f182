"""`card`: the published result of a run, counts first."""

from __future__ import annotations

import click

from denominator.cli.companions import beside_of, named_result, with_option
from denominator.cli.output import brief_option, json_option, leave, print_card, print_json
from denominator.cli.places import runs_dir_option


@click.command()
@click.argument("run", required=False)
@with_option
@runs_dir_option
@brief_option
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Every metric by its name, those without a number too.")
@click.pass_context
def card(
    ctx: click.Context,
    /,
    run: str | None,
    beside: tuple[str, ...],
    runs_dir: str | None,
    brief: bool,
    as_json: bool,
    verbose: bool,
) -> None:
    """Print the card of RUN (a run id, its folder, or the folder of an import; default: the latest run).

    A LEDGER.jsonl (rows in our own format beside its seal.json or terms.json) is judged in bounded memory.

    Fault bench, spend, endpoint probe and replays stand beside the numbers where they exist: in the folder of RUN, or
    named by --with. What is of another harness, endpoint or seal is refused, with the field that differs.

    A number that the gate withholds is not on it. Exit 0 publishable, 1 blocked, 3 what --with names is of something
    else, 4 promises still open.

    \b
    Example: denominator card 2026-11-29-oracle --json
             denominator card 2026-11-29-oracle --with bench --with probe
    """
    from denominator.pipeline.companions import whole_card
    from denominator.wire.codec import to_json

    result, found = beside_of(named_result(run, runs_dir), beside, runs_dir)
    whole = whole_card(result.card, found)
    if as_json:
        print_json(to_json(whole))
    else:
        print_card(whole, brief, verbose)
    leave(ctx, result.exit)
