"""`faultbench score`: what came out of a bench, through the same gate and the same card as every other number."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import (
    format_chosen,
    format_option,
    json_option,
    leave,
    print_findings,
    print_json,
    print_page,
)


@click.command("score")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@format_option
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Also show the clauses that hold.")
@click.pass_context
def score(ctx: click.Context, paths: tuple[Path, ...], format_: str, as_json: bool, verbose: bool) -> None:
    """Score PATHS: the folder of a bench, or the journal, verdicts and workspaces of another runner (files or one folder).

    The card has three lines: capability, efficiency, durability. A control that does not hold withholds them.
    Rows of outcomes have no checkpoints: for them this prints what a resume would do.
    Exit 0 publishable, 1 blocked, 2 rows or checkpoints that cannot be read, 5 a workspace that its journal cannot explain.

    \b
    Example: denominator faultbench score bench
             denominator faultbench score their-journal/ --json
    """
    from denominator.cli.pages import terminal_page
    from denominator.faultbench.foreign_resume import holds_outcomes
    from denominator.faultbench.scoring import about_bench, bench_folder, score_paths
    from denominator.publish.terminal.faultbench import durability_page
    from denominator.wire.codec import to_json

    form = format_chosen(format_, as_json)
    if bench_folder(paths[0]) is None and holds_outcomes(paths):
        from denominator.cli.resume_foreign import print_plan

        leave(ctx, print_plan(paths, as_json=form == "json"))
    scored = score_paths(paths)
    if form == "json":
        print_json({"card": to_json(scored.card), "exit": int(scored.exit)})
    elif form == "text":
        page = terminal_page()
        durability_page(page, scored.card, verbose)
        print_page(page)
    else:
        print_findings(scored.judged.findings, form, about_bench(scored))
    leave(ctx, scored.exit)
