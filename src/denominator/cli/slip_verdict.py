"""`slip verdict`: what a score keeper says of a slip."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, leave
from denominator.cli.places import runs_dir_option
from denominator.cli.slip_shown import print_slip, store_of
from denominator.errors import InputError


@click.command("verdict")
@click.argument("slip_id", metavar="ID")
@click.option("--tier", default="", help="none, internal, external or quotable; never above the computed one.")
@click.option("--caveat", default="", help="The shortest honest caveat, on one line.")
@click.option(
    "--revoke", default="", metavar="WHY", help="The slip falls; it stays listed, so that quotes of it are found."
)
@click.option("--who", required=True, help="Who says so.")
@runs_dir_option
@json_option
@click.pass_context
def verdict(
    ctx: click.Context, slip_id: str, tier: str, caveat: str, revoke: str, who: str, runs_dir: str | None, as_json: bool
) -> None:
    """Append the score keeper's verdict to the slip ID: a tier and a caveat, or that it is revoked.

    A tier above the computed one is refused (exit 1), and so are contracts, SLAs and prices.

    \b
    Example: denominator slip verdict ab12cd34 --tier external --who ann \\
                 --caveat "14 tasks, one run"
             denominator slip verdict ab12cd34 --revoke "wrong grader" --who ann
    """
    from denominator.pipeline.slipping import say_revoked, say_verdict
    from denominator.wiring.world import utc_now

    given = ctx.get_parameter_source("revoke") is not click.core.ParameterSource.DEFAULT
    if given and (tier or caveat):
        raise InputError("a slip is revoked or gets a verdict", where="--revoke", fix="leave out --tier and --caveat")
    store, now = store_of(runs_dir), utc_now()
    one = (
        say_revoked(store, slip_id, revoke, who, now) if given else say_verdict(store, slip_id, tier, caveat, who, now)
    )
    print_slip(one, as_json=as_json)
    leave(ctx, 0)
