"""`resume`: go on with an interrupted run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import brief_option, json_option, leave, note, print_json, print_text
from denominator.cli.places import opened, runs_dir_option, settings, workers_option

if TYPE_CHECKING:
    from denominator.records.events import Json


@click.command()
@click.argument("run_name", metavar="RUN")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
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

    \b
    Example: denominator resume 20261129-101500-oracle
    """
    from denominator.cli.progress import make_reporter
    from denominator.cli.running import exit_of, report
    from denominator.pipeline.looking import status
    from denominator.wiring.running_cli import Options, resume_run

    found = status(opened(run_name, runs_dir))
    if dry_run and as_json:
        print_json(found)
        return
    if dry_run:
        print_text("\n".join(_plan_lines(found)))
        return
    if not quiet:
        note("\n".join(_plan_lines(found)))
    reporter = make_reporter(0, quiet)
    chosen = settings(runs_dir)
    options = Options(
        envelopes=(), workers=workers, keep=keep, runs_dir=Path(chosen.runs_dir), cache_dir=Path(chosen.cache_dir)
    )
    try:
        done, runs, results = resume_run(run_name, options, reporter)
    finally:
        reporter.stop()
    code = exit_of(done, runs, results)
    report(done, runs, results, code, as_json=as_json, brief=brief)
    leave(ctx, code)


def _plan_lines(found: Mapping[str, Json]) -> Iterator[str]:
    """What is done and what a resume would do."""
    yield f"{found['closed']} of {found['promised']} attempts have ended and stay as they are"
    if found["unpromised"]:
        yield f"promise {found['unpromised']} draws, and start them"
    for word, name in (("go on with", "resume_would_go_on"), ("start", "resume_would_start")):
        items = found[name]
        if isinstance(items, list) and items:
            yield f"{word} {len(items)}: {', '.join(map(str, items[:8]))}{' ...' if len(items) > 8 else ''}"
