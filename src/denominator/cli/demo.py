"""`demo`: the whole path once, on this machine, without a model."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, note
from denominator.cli.places import runs_dir_option, settings, typed


@click.command()
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@runs_dir_option
@click.option(
    "--brief/--all",
    default=True,
    help="Of each card verdict, counts, what blocks, and the sentence (the default); or the whole cards.",
)
@json_option
@click.pass_context
def demo(ctx: click.Context, quiet: bool, runs_dir: str | None, brief: bool, as_json: bool) -> None:
    """Run the built-in pack with four agents that call no model, and print the head of the card of each, then a summary.

    oracle applies the reference patches, nop does nothing, careful and hasty play recorded actions. The exit code is
    that of the oracle's card: 0 when this machine measures as it must.

    \b
    Example: denominator demo
             denominator demo --all
    """
    from denominator.cli.progress import make_reporter
    from denominator.cli.running import close_at_the_end, exit_of, report
    from denominator.wiring.demo import run_demo
    from denominator.wiring.running_cli import Options, stamp_now

    chosen = settings(runs_dir)
    options = Options(envelopes=(), runs_dir=Path(chosen.runs_dir), cache_dir=Path(chosen.cache_dir), argv=typed())
    reporter = make_reporter(0, quiet)
    stamp = f"demo-{stamp_now()}"
    try:
        done, runs, results = run_demo(options, stamp, reporter)
        close_at_the_end(runs)
    finally:
        reporter.stop()
    code = exit_of(done, runs[:1], results[:1])
    report(done, runs, results, code, as_json=as_json, brief=brief)
    if not as_json:
        whole = f"\nwhole cards: denominator card {stamp}-careful (or demo --all)" if brief else ""
        note(f"{whole}\nruns are in {options.runs_dir}; next: denominator show page-count --run {stamp}-careful")
    leave(ctx, code)
