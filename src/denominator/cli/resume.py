"""`resume`: go on with an interrupted run."""

from __future__ import annotations

import click

from denominator.cli.output import brief_option, json_option, leave, note, print_json, print_text
from denominator.cli.places import runs_dir_option, settings_dir


@click.command()
@click.argument("run_name", metavar="RUN")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@runs_dir_option
@brief_option
@json_option
@click.pass_context
def resume(
    ctx: click.Context, run_name: str, dry_run: bool, quiet: bool, runs_dir: str | None, brief: bool, as_json: bool
) -> None:
    """Go on with RUN: finished attempts stay, what was promised and has no ending is done.

    \b
    Example: denominator resume 20261129-101500-oracle
    """
    from denominator.cli.progress import make_reporter
    from denominator.cli.running import report
    from denominator.pipeline.looking import status
    from denominator.wiring.running_cli import Options, peek, resume_run

    root = settings_dir("runs_dir", runs_dir)
    found = status(peek(run_name, root))
    if dry_run and as_json:
        print_json(found)
        return
    say = print_text if dry_run else note
    say(f"{found['closed']} of {found['promised']} attempts have ended and stay as they are")
    for word, name in (("go on with", "resume_would_go_on"), ("start", "resume_would_start")):
        items = found[name]
        if isinstance(items, list) and items:
            say(f"{word} {len(items)}: {', '.join(map(str, items[:8]))}{' ...' if len(items) > 8 else ''}")
    if dry_run:
        return
    reporter = make_reporter(0, quiet)
    options = Options(envelopes=(), runs_dir=root, cache_dir=settings_dir("cache_dir", None))
    try:
        done, runs, results = resume_run(run_name, options, reporter)
    finally:
        reporter.stop()
    leave(ctx, report(done, runs, results, as_json, brief))
