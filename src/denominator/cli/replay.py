"""`replay`: run the tasks of a finished run again, later, under the same seal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, note, print_json, print_page
from denominator.cli.sides import results_of, side_options

if TYPE_CHECKING:
    from denominator.cli.sides import Given
    from denominator.records.replays import Replay


@click.command()
@click.argument("run", required=False)
@click.option("--with", "again", metavar="AGAIN", help="Run nothing: count the flips between RUN and this one.")
@click.option("--early", metavar="WHY", default="", help="Why it comes less than 24 h later; printed with the flips.")
@click.option("--run-id", default="", help="Name of the replay (default: RUN-replay-1, -2 ...).")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@side_options
@json_option
@click.pass_context
def replay(
    ctx: click.Context,
    /,
    run: str | None,
    again: str | None,
    early: str,
    run_id: str,
    quiet: bool,
    as_json: bool,
    **given: object,
) -> None:
    """Run every declared draw of RUN again under its own seal, at least 24 hours later, and count the flips.

    With --with (or --a and --b) both exist already: two runs under one seal, or rows whose stated conditions agree.
    Above the sealed ceiling of flips (0.20) the card of RUN keeps its interval and loses its rate.
    Exit 0 counted, 1 blocked, 2 refused, 3 not the same conditions, 4 promises still open.

    \b
    Example: denominator replay 20261129-101500-oracle
             denominator replay monday/ --with tuesday/
    """
    if again is not None or given["a_files"] or given["b_files"]:
        leave(ctx, _show_pair(run, again, given, early, as_json))
    leave(ctx, _run(run, run_id, early, quiet=quiet, runs_dir=given["runs_dir"], as_json=as_json))


def _show_pair(run: str | None, again: str | None, given: Given, early: str, as_json: bool) -> int:
    """Count the flips of two results that exist; a run that is open, or in an unknown state, keeps its own code."""
    from denominator.errors import Exit
    from denominator.pipeline.replay_pairs import replay_pair
    from denominator.pipeline.results import unfinished

    found = results_of(run, again, given)
    if len(found) < 2:
        raise click.UsageError("name both: RUN --with AGAIN, or --a FILES --b FILES")
    (_, first), (name, second) = found
    _show(replay_pair(name, first, second, early_why=early), as_json, first.terms.replay_ceiling)
    return int(Exit.worst(unfinished(first, second)))


def _run(run: str | None, run_id: str, early: str, *, quiet: bool, runs_dir: object, as_json: bool) -> int:
    """Run it again, then count; the exit code."""
    from pathlib import Path

    from denominator.cli.places import opened, settings, typed
    from denominator.cli.progress import make_reporter
    from denominator.cli.running import exit_of
    from denominator.pipeline.replaying import replays_of
    from denominator.wiring.replaying import Asked, replay_run
    from denominator.wiring.running_cli import Options

    place = str(runs_dir) if runs_dir is not None else None
    chosen, first = settings(place), opened(run, place)
    options = Options(envelopes=(), runs_dir=Path(chosen.runs_dir), cache_dir=Path(chosen.cache_dir), argv=typed())
    reporter = make_reporter(0, quiet)
    try:
        asked = Asked(run=str(first.folder.root), run_id=run_id, early_why=early)
        done, runs, results = replay_run(asked, options, reporter)
    finally:
        reporter.stop()
    for message in done.messages:
        note(message)
    new = runs[0].run_id
    counted = [one for one in replays_of(first) if one.run_id == new]
    for one in counted:
        _show(one, as_json, str(first.seal.envelope.ceilings.replay_flips))
    if not counted:
        note(f"{new}: not finished, so nothing is counted\n  next: denominator resume {new}")
    return int(exit_of(done, runs, results))


def _show(found: Replay, as_json: bool, ceiling: str) -> None:
    from denominator.cli.pages import terminal_page
    from denominator.publish.terminal.replays import replay_lines
    from denominator.wire.codec import to_json

    if as_json:
        print_json(to_json(found))
        return
    page = terminal_page()
    for line in replay_lines(found, ceiling):
        page.item(line, 0)
    print_page(page)
