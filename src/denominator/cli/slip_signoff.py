"""`slip signoff`: what a quote reviewer says of a slip."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, leave
from denominator.cli.places import runs_dir_option
from denominator.cli.slip_shown import print_slip, store_of


@click.command("signoff")
@click.argument("slip_id", metavar="ID")
@click.option("--who", required=True, help="Who says so.")
@click.option("--reject", default="", metavar="FIELD", help="No: this field is missing, by its name in slip show.")
@runs_dir_option
@json_option
@click.pass_context
def signoff(ctx: click.Context, slip_id: str, who: str, reject: str, runs_dir: str | None, as_json: bool) -> None:
    """Append the quote reviewer's sign-off to the slip ID, or the rejection that names the missing field.

    A slip without a score keeper's verdict, or of a tier that does not leave the team, cannot be signed off (exit 1).

    \b
    Example: denominator slip signoff ab12cd34 --who bea
             denominator slip signoff ab12cd34 --who bea --reject model.snapshot
    """
    from denominator.pipeline.slipping import say_signoff
    from denominator.wiring.world import utc_now

    given = ctx.get_parameter_source("reject") is not click.core.ParameterSource.DEFAULT
    one = say_signoff(store_of(runs_dir), slip_id, who, utc_now(), reject if given else None)
    print_slip(one, as_json=as_json)
    leave(ctx, 0)
