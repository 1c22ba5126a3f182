"""`resume`: go on with an interrupted run."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import brief_option, json_option, leave, note, print_json, print_text
from denominator.cli.places import opened, runs_dir_option, runs_place, settings, typed, workers_option


@click.command()
@click.argument("run_name", metavar="RUN")
@click.option("--dry-run", is_flag=True, help="Only say what would be done, attempt by attempt; writes nothing.")
@workers_option
@click.option("--keep", is_flag=True, help="Keep the workspaces of attempts that end, for a look.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@runs_dir_option
@brief_option
@json_option
@click.pass_context
def resume(
    ctx: click.Context,
    run_name: str,
    dry_run: bool,
    workers: str,
    keep: bool,
    quiet: bool,
    runs_dir: str | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Go on with RUN: finished attempts stay, what was promised and has no ending is done.

    With --dry-run RUN may be rows of another harness (a file or a folder): what a resume of them would do.

    \b
    Example: denominator resume 20261129-101500-oracle
    """
    from denominator.cli.progress import make_reporter
    from denominator.cli.resume_foreign import foreign_paths, print_plan
    from denominator.cli.running import close_at_the_end, exit_of, report
    from denominator.pipeline.looking import status
    from denominator.pipeline.resuming import in_full, resume_plan, summary
    from denominator.wiring.running_cli import Options, resume_run

    if foreign := foreign_paths(run_name, runs_place(runs_dir)):
        leave(ctx, print_plan(foreign, as_json=as_json, dry_run=dry_run))
    run = opened(run_name, runs_dir, untouched=True)
    plan = resume_plan(run)
    if dry_run and as_json:
        print_json(status(run) | plan)
        return
    if dry_run:
        print_text("\n".join(in_full(plan)))
        return
    run.journal.close()
    if not quiet:
        note("\n".join(summary(plan)))
    reporter = make_reporter(0, quiet)
    chosen = settings(runs_dir)
    options = Options(
        envelopes=(),
        workers=workers,
        keep=keep,
        runs_dir=Path(chosen.runs_dir),
        cache_dir=Path(chosen.cache_dir),
        argv=typed(),
    )
    try:
        done, runs, results = resume_run(run_name, options, reporter)
        close_at_the_end(runs)
    finally:
        reporter.stop()
    code = exit_of(done, runs, results)
    report(done, runs, results, code, as_json=as_json, brief=brief)
    leave(ctx, code)
