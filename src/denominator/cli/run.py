"""`run`: seal and run the arms of one or more envelopes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import brief_option, json_option, leave, note, print_json, print_text
from denominator.cli.places import (
    default_envelope,
    new_lineage_option,
    previous_option,
    runs_dir_option,
    settings,
    typed,
    workers_option,
)
from denominator.errors import DenominatorError, Exit, InputError

if TYPE_CHECKING:
    from denominator.pipeline.world import OpenRun
    from denominator.wiring.running_cli import Options


@click.command()
@click.argument("envelopes", nargs=-1, type=click.Path(path_type=Path))
@click.option("--arms", "arms", is_flag=True, help="The envelopes are arms of one window (the default for several).")
@click.option("--arm", "label", help="Only the arm with this label.")
@click.option("--pack", "pack_name", help="Use this pack instead of the one the envelope names.")
@click.option("--run-id", help="Name of the run (default: time and arm).")
@click.option("--only", multiple=True, metavar="TASK", help="Scratch run of these tasks; stamped, never counted.")
@click.option("--keep", is_flag=True, help="With --only: keep workspaces for a look.")
@click.option("--no-sandbox", is_flag=True, help="Run without isolation; stamped on the card, capped at counts.")
@click.option("--dry-run", is_flag=True, help="Show draws and worst-case tokens; run nothing.")
@click.option("--narration-probe", "probe", is_flag=True, help="Also ask for a summary only; any edit fails it.")
@click.option("--record", metavar="FOLDER", help="Keep the model's answers there, to play them again (runs cassette).")
@workers_option
@click.option(
    "--journal", metavar="URL", default="", help="Keep journal and blobs there: postgresql://USER@HOST/DATABASE."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@previous_option
@new_lineage_option
@runs_dir_option
@brief_option
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    envelopes: tuple[Path, ...],
    arms: bool,
    label: str | None,
    pack_name: str | None,
    run_id: str | None,
    only: tuple[str, ...],
    keep: bool,
    no_sandbox: bool,
    dry_run: bool,
    probe: bool,
    record: str | None,
    workers: str,
    journal: str,
    quiet: bool,
    previous: str | None,
    new_lineage: str | None,
    runs_dir: str | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Run ENVELOPES (default: the one of the settings, envelope.toml): seal, run every declared draw, judge, print cards.

    Arms of several envelopes run in one window: same task order, arms alternating per task.
    Exit 0 publishable, 1 blocked, 4 promises still open, 130 interrupted. A scratch run (--only) exits 0 when the
    tasks that were asked for have ended; its card is blocked whatever came out.

    \b
    Example: denominator run envelope.toml
             denominator run --arms A.toml B.toml
    """
    from denominator.pipeline.lineage import Wanted
    from denominator.wiring.running_cli import Options

    del arms  # several envelopes are always one window; the flag only says so
    chosen = settings(runs_dir)
    options = Options(
        envelopes=envelopes or (default_envelope(),),
        label=label,
        pack_name=pack_name,
        run_id=run_id,
        only=frozenset(only),
        keep=keep,
        unsandboxed=no_sandbox,
        probe=probe,
        workers=workers,
        journal=journal,
        lineage=Wanted(previous=previous, new=new_lineage),
        runs_dir=Path(chosen.runs_dir),
        cache_dir=Path(chosen.cache_dir),
        argv=typed(),
    )
    if dry_run:
        _dry(options, as_json=as_json)
        return
    if no_sandbox:
        note("WITHOUT A SANDBOX: what agents write runs with your rights; the card is stamped and capped at counts")
    folder = _new(record)
    leave(ctx, _run(options, folder, quiet=quiet, as_json=as_json, brief=brief))


def _new(record: str | None) -> Path | None:
    """Where the recording is to lie; a name that is taken is refused before anything runs."""
    if record is None:
        return None
    if not record.strip() or os.path.lexists(record):
        what = "is empty" if not record.strip() else "is there already; nothing is overwritten"
        raise InputError(what, where="--record", fix="name a new folder")
    return Path(record)


def _dry(options: Options, *, as_json: bool) -> None:
    """Print what would run, or the refusal that a run would meet."""
    from denominator.cli.running import dry_lines
    from denominator.wiring.running_cli import dry

    shown = dry(options)
    print_json(shown) if as_json else print_text("\n".join(dry_lines(shown)))


def _run(options: Options, folder: Path | None, *, quiet: bool, as_json: bool, brief: bool) -> int:
    """Run every arm, print the cards; the exit code."""
    from denominator.cli.progress import make_reporter
    from denominator.cli.running import close_at_the_end, exit_of, note_kept, report
    from denominator.wiring.running_cli import execute

    reporter = make_reporter(0, quiet)
    try:
        done, runs, results = execute(options, reporter)
        close_at_the_end(runs)
    finally:
        reporter.stop()
    code = exit_of(done, runs, results)
    report(done, runs, results, code, as_json=as_json, brief=brief)
    if options.keep:
        note_kept(runs)
    kept = [_recorded(run, folder if len(runs) == 1 else folder / run.run_id) for run in runs] if folder else []
    return int(Exit.worst([int(code), *kept]))


def _recorded(run: OpenRun, folder: Path) -> int:
    """Keep the answers of one run; why there is no recording, where there can be none."""
    from denominator.wiring.cassettes import make_cassette

    try:
        made = make_cassette(run, folder, (), os.environ)
    except DenominatorError as error:
        note(f"{run.run_id}: not recorded: {error.what}" + (f"; {error.fix}" if error.fix else ""))
        return int(error.exit)
    note(f"{run.run_id}: {made.calls} calls kept in {folder}")
    return int(Exit.DONE)
