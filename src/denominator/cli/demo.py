"""`demo`: the whole path once, on this machine, without a model."""

from __future__ import annotations

import click

from denominator.cli.output import brief_option, json_option, leave, note
from denominator.cli.places import runs_dir_option, settings_dir


@click.command()
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@runs_dir_option
@brief_option
@json_option
@click.pass_context
def demo(ctx: click.Context, quiet: bool, runs_dir: str | None, brief: bool, as_json: bool) -> None:
    """Run the built-in pack with four agents that call no model, and print a card for each.

    oracle applies the reference patches, nop does nothing, careful and hasty play recorded actions. The exit code is
    that of the oracle's card: 0 when this machine measures as it must.

    \b
    Example: denominator demo
    """
    from denominator.cli.progress import make_reporter
    from denominator.cli.running import report
    from denominator.wiring.demo import run_demo
    from denominator.wiring.running_cli import Options, stamp_now

    options = Options(
        envelopes=(), runs_dir=settings_dir("runs_dir", runs_dir), cache_dir=settings_dir("cache_dir", None)
    )
    reporter = make_reporter(0, quiet)
    stamp = f"demo-{stamp_now()}"
    try:
        done, runs, results = run_demo(options, stamp, reporter)
    finally:
        reporter.stop()
    code = report(done, runs, results, as_json, brief)
    if not as_json:
        note(f"\nruns are in {options.runs_dir}; next: denominator show page-count --run {stamp}-careful")
    oracle = results[0].exit
    leave(ctx, int(done.exit) or int(oracle) if code else 0)
