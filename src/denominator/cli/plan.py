"""`plan`: how many tasks and repeats a difference takes."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, print_json, print_page
from denominator.cli.places import runs_dir_option
from denominator.cli.sides import result_named


@click.command(short_help="Say how many tasks and repeats a difference takes, and what they cost.")
@click.option("--difference", default="", help="The difference of pass rates that must be found (0.10).")
@click.option("--margin", default="", help="The margin inside which two arms shall count as alike.")
@click.option("--question", type=click.Choice(["equivalent", "non_inferior"]), help="What the margin is for.")
@click.option("--tasks", type=click.IntRange(min=1), help="Is this number of tasks enough?")
@click.option(
    "--repeats", type=click.IntRange(min=1), help="Repeats of each task (default: a table of 1, 3, 5 and 10)."
)
@click.option("--discordant", default="", help="Share of tasks that exactly one arm passes, at one repeat.")
@click.option("--flip", default="", help="Flip rate of an arm: how often two passes over a task differ.")
@click.option("--omega2", default="", help="Variance of the true difference between tasks.")
@click.option("--power", default="", help="Chance of finding it (0.80).")
@click.option("--alpha", default="", help="Level of the test (0.05).")
@click.option("--test", default="", help="exact, or midp if that is what the seal will declare.")
@click.option("--tokens-per-attempt", type=click.IntRange(min=1), help="For the cost.")
@click.option(
    "--from", "sources", multiple=True, metavar="RUN", help="Take flip rate and tokens from this run (or two)."
)
@click.option(
    "--envelope", type=click.Path(dir_okay=False, exists=True, path_type=Path), help="Take size and test from it."
)
@runs_dir_option
@json_option
@click.pass_context
def plan(
    ctx: click.Context,
    /,
    difference: str,
    margin: str,
    question: str | None,
    tasks: int | None,
    repeats: int | None,
    discordant: str,
    flip: str,
    omega2: str,
    power: str,
    alpha: str,
    test: str,
    tokens_per_attempt: int | None,
    sources: tuple[str, ...],
    envelope: Path | None,
    runs_dir: str | None,
    as_json: bool,
) -> None:
    """Say which sizes find a difference, with which power, at which cost. Without --tasks: the least sizes and a table.

    Exit 0 the design can answer, 1 it cannot (with the reason), 2 unusable input, 3 two runs that are not comparable.

    \b
    Example: denominator plan --difference 0.10 --tasks 60 --repeats 5
    """
    from denominator.pipeline.planning import Typed, plan_design
    from denominator.publish.limits import limit_lines
    from denominator.wire.codec import to_json

    if len(sources) > 2:
        raise click.UsageError("--from takes one run, or two")
    shares = {
        "difference": difference, "margin": margin, "discordant": discordant, "flip": flip, "omega2": omega2,
        "power": power, "alpha": alpha,
    }  # fmt: skip
    typed = Typed(
        shares=shares,
        tasks=tasks or 0,
        repeats=repeats or 0,
        tokens=tokens_per_attempt or 0,
        test=test,
        question=question or "",
    )
    found = plan_design(typed, [(one, result_named(one, runs_dir)) for one in sources], envelope)
    if as_json:
        print_json({"plan": to_json(found.design), "limits": list(limit_lines("M6")), "exit": int(found.exit)})
    else:
        from denominator.cli.pages import terminal_page
        from denominator.publish.terminal.design import design_page

        page = terminal_page()
        design_page(page, found.design)
        page.bullets("LIMITS", limit_lines("M6"))
        print_page(page)
    leave(ctx, found.exit)
