"""`probe run`: ask an endpoint every case of a fixture, and keep the bytes of every answer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.pipeline.engine import StopFlag
    from denominator.pipeline.probing import WindowRun
    from denominator.records.events import Json


@click.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="FOLDER", help="The new folder of answers.")
@click.option("--window", type=click.IntRange(1, 99), metavar="N", help="Which pass (default: the one that is open).")
@click.option("--redact-bodies", is_flag=True, help="Judge each answer at once and keep digests, no bodies.")
@click.option("--anyway", is_flag=True, help="Go on although the warm-up found nobody, or no way in.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    source: Path,
    out: Path | None,
    window: int | None,
    redact_bodies: bool,
    anyway: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Ask what SOURCE (a probe.toml, or the folder of a probe) plans; given again, ask what is missing.

    Every attempt has a connection of its own and a deadline over everything; nothing is retried. --window 2 asks all of it
    again: two hours after the first by both clocks, or it is marked as not independent. Exit 0 when every planned attempt
    is made, 4 when some are missing (130 after Ctrl-C), 2 when something is wrong or nobody answers the warm-up.

    \b
    Example: denominator probe run bench/probe.toml -o answers
             denominator probe run answers --window 2
    """
    from denominator.cli.probe_progress import ProbeProgress
    from denominator.wiring.probing import Asked, run_probe
    from denominator.wiring.running import stop_on_signals

    asked = Asked(source=source, out=out, window=window or 0, redact=redact_bodies, anyway=anyway)
    with ProbeProgress(quiet) as told, stop_on_signals() as stop:
        folder, done = run_probe(asked, os.environ, stop, told)
    print_json(_shown(folder, done)) if as_json else print_text("\n".join(_lines(folder, done)))
    leave(ctx, _code(done, stop))


def _code(done: WindowRun, stop: StopFlag) -> Exit:
    if not done.missing:
        return Exit.DONE
    return stop.exit if stop.is_set() else Exit.OPEN


def _shown(folder: Path, done: WindowRun) -> Json:
    return {
        "folder": str(folder),
        "window": done.number,
        "planned": done.planned,
        "stored": done.stored,
        "made": done.made,
        "missing": done.missing,
        "started_at": done.started_at,
        "independent": done.independent,
        "why": done.why,
    }


def _lines(folder: Path, done: WindowRun) -> list[str]:
    lines = [f"{folder}: window {done.number}: {done.stored} of {done.planned} attempts made, {done.made} of them now"]
    if done.why:
        lines.append(f"not independent of the earlier ones: {done.why}")
    if done.missing and not done.stored:
        return [*lines, "told to stop before the first attempt: nothing was kept; next: the same command again"]
    if done.missing:
        return [*lines, f"next: denominator probe run {folder}  (asks the {done.missing} that are missing)"]
    if done.number == 1:
        lines.append(
            f"next: denominator probe run {folder} --window 2  (independent from {_free_at(done.started_at)} on)"
        )
    return [*lines, f"next: denominator probe score {folder}"]


def _free_at(started_at: str) -> str:
    """When another window may begin that is independent of this one, by the wall clock."""
    from datetime import timedelta

    from denominator.records.probes import WINDOW_GAP_S
    from denominator.wire.times import read_time

    began = read_time(started_at)
    return (
        (began + timedelta(seconds=WINDOW_GAP_S + 1)).strftime("%Y-%m-%d %H:%M:%S UTC") if began else "two hours later"
    )
