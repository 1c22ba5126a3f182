"""`spend`: what arms spent, and what that bought."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import json_option, leave, note, print_json, print_page
from denominator.cli.places import runs_dir_option

if TYPE_CHECKING:
    from denominator.pipeline.results import Result

PLAIN = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Show what each arm spent, and what that bought.")
@click.argument("runs", nargs=-1)
@runs_dir_option
@click.option("--with", "beside", multiple=True, type=PLAIN, help="A manifest that belongs to all rows named.")
@click.option("--map", "column_map", type=PLAIN, help="columns.toml for rows of another harness.")
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows with this value.")
@click.option(
    "--declared", default="", metavar="TASKSxREPEATS", help="What was scheduled, for rows without a manifest."
)
@click.option("--treatment", multiple=True, metavar="FIELD", help="A field that may differ (default: as declared).")
@click.option("--equal", "equal_because", metavar="WHY", help="Why what nobody stated is equal.")
@click.option("--estimate", is_flag=True, help="Estimate all tokens from stored texts, for every arm or none.")
@click.option(
    "--allowance",
    type=click.IntRange(1),
    metavar="TOKENS",
    help="With --tasks-per-day: how many accepted patches so many tokens buy.",
)
@click.option("--tasks-per-day", metavar="NUMBER", help="With --allowance: the day on which it runs out.")
@click.option("--prices", metavar="FILE|genai-prices", help="A price table: money as a column of its own.")
@json_option
@click.pass_context
def spend(ctx: click.Context, /, runs: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Show the spend of RUNS: run ids, folders of runs or imports, ledger files, rows of other harnesses; default: the latest run.

    A file that holds several arms gives each of them. Exit 1: the gate withholds, 3: arms that are not comparable, 4: promises
    still open.

    \b
    Example: denominator spend 2026-11-30-main 2026-11-30-change --estimate
    """
    from denominator.pipeline.asking import reason_of
    from denominator.pipeline.estimating import LABEL, estimated
    from denominator.pipeline.spending import Wanted, spend_of
    from denominator.records.values import NotMeasured

    if given["tasks_per_day"] and not given["allowance"]:
        raise click.UsageError("--tasks-per-day needs --allowance TOKENS")
    wanted = Wanted(
        treatment=given["treatment"],
        equal_because=reason_of(given["equal_because"]),
        allowance=given["allowance"] or 0,
        tasks_per_day=_per_day(given["tasks_per_day"], bool(given["allowance"])),
        prices=_prices(given["prices"]),
        estimator=LABEL if given["estimate"] else "",
    )
    named = [one for run in (runs or (None,)) for one in _named(run, given)]
    if given["estimate"]:
        named = estimated(named, _texts(named, given))
    found = spend_of(named, wanted)
    if as_json:
        from denominator.wire.codec import to_json

        print_json({"spend": to_json(found), "exit": found.exit})
    else:
        from denominator.cli.pages import terminal_page
        from denominator.publish.terminal.spend import spend_page

        page = terminal_page()
        spend_page(page, found)
        print_page(page)
    if not given["declared"] and any(isinstance(result.ledger.declared_n, NotMeasured) for _, result in named):
        note("next: say what was scheduled with --declared TASKSxREPEATS, or in a manifest")
    leave(ctx, found.exit)


def _per_day(text: str | None, needed: bool) -> Any:
    """Tasks a day as an exact number above 0."""
    from fractions import Fraction

    from denominator.stats.decimals import finite_decimal

    if not needed:
        return Fraction(0)
    if text is None:
        raise click.UsageError("--allowance needs --tasks-per-day NUMBER")
    value = finite_decimal(text) if len(text) < 40 else None
    if value is None or value <= 0:
        raise click.UsageError(f"--tasks-per-day: {text!r} is no number above 0")
    return Fraction(value)


def _prices(named: str | None) -> Any:
    if not named:
        return None
    from denominator.pipeline.pricing import read_prices
    from denominator.wiring.prices import PACKAGE, packaged_prices

    return packaged_prices() if named == PACKAGE else read_prices(Path(named))


def _named(run: str | None, given: dict[str, Any]) -> list[tuple[str, Result]]:
    """The arms behind one name: one of ours, or every arm that the rows of a file name."""
    from denominator.cli.places import result_of
    from denominator.cli.sides import is_foreign
    from denominator.pipeline.arms import arms_of, is_ours

    if run is None or not is_foreign(run, given["runs_dir"]) or is_ours(Path(run)):
        return [(run or "", result_of(run, given["runs_dir"]))]
    found = arms_of((Path(run), *given["beside"]), given["column_map"], given["where"], given["declared"])
    for _, report, _ in found:
        for line in report.lines():
            note(line)
    return [(name or run, result) for name, _, result in found]


def _texts(named: list[tuple[str, Result]], given: dict[str, Any]) -> list[Any]:
    """The stored texts of each arm's calls; imports have none."""
    from denominator.cli.places import opened

    return [opened(name or None, given["runs_dir"]).blobs if result.ledger.calls else None for name, result in named]
