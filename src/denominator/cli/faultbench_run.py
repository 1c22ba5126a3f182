"""`faultbench run`: make the trials of a fault plan."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, note, print_json, print_text
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.faultbench import BenchEnd
    from denominator.ports import Stop
    from denominator.records.events import Json
    from denominator.records.faults import Bench


@click.command()
@click.option("-o", "--out", required=True, metavar="FOLDER", help="Where bench.json and trials.jsonl are written.")
@click.option("--fault", "faults", multiple=True, metavar="FAULT", help="CHECKPOINT:KIND or failpoint=action[@nth].")
@click.option("--plan", "plan_file", type=click.Path(path_type=Path), metavar="FILE", help="TOML, or a fault a line.")
@click.option("--quick", is_flag=True, help="5 tasks, 2 fault points, 3 repeats.")
@click.option("--repeats", type=int, help="Trials of each fault on each task (default: 3).")
@click.option("--seed", type=int, help="Decides the order of the tasks, and which ones --quick takes (default: 0).")
@click.option(
    "--trial-limit",
    type=click.IntRange(1, 86400),
    metavar="SECONDS",
    help="How long a process of a trial may take (default: 600; of a command its wall_s, 60).",
)
@click.option("--pack", "pack_name", help="The pack that our runner is benched on (default: holdout16).")
@click.option("--task", "tasks", multiple=True, metavar="TASK", help="Only these tasks.")
@click.option(
    "--subject", type=click.Path(path_type=Path), metavar="FILE", help="Bench the command of this file instead."
)
@click.option("--command", "command", metavar="TEXT", help="Bench this command; {task} is the task.")
@click.option("--resume-command", metavar="TEXT", help="How it goes on (default: the command again).")
@click.option("--verify-command", metavar="TEXT", help="Exit 0: the work is right.")
@click.option("--workspace", metavar="FOLDER", help="What it starts in: copied fresh for each trial, shown at /work.")
@click.option("--tools", metavar="FOLDER", help="Shown read-only at /opt/tools.")
@click.option("--artifact", metavar="PATH[=TEXT]", help="The file whose lines (those with TEXT) are its effects.")
@click.option("--journal", metavar="PATH", help="Its own journal in the workspace, to be copied.")
@click.option(
    "--checkpoint",
    "checkpoints",
    multiple=True,
    metavar="NAME=HOW",
    help="file:PATH, line:PATH:TEXT, output:TEXT, after:MS or stopped.",
)
@click.option("--no-sandbox", is_flag=True, help="Run the command with your rights; stamped on the bench.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@json_option
@click.pass_context
def run(ctx: click.Context, /, out: str, quiet: bool, as_json: bool, **given: object) -> None:
    """Make the trials of a fault plan against our own runner, or against any command with a command to go on.

    Given again with the same folder and plan it makes what is missing. Exit 0 when every trial is made, 4 when it was told
    to stop (130 after Ctrl-C) or could not go on, 2 when something is wrong with the plan, the subject or the folder (all of
    it is said, nothing runs). Finished trials are kept. `faultbench score` says what they show.

    \b
    Example: denominator faultbench run --quick -o bench
             denominator faultbench run --fault apply.renamed=kill -o bench
             denominator faultbench run --subject harness.toml -o bench
    """
    from denominator.cli.faultbench_asked import bench_of
    from denominator.wiring.running import stop_on_signals

    say = (lambda _text: None) if quiet else note
    with stop_on_signals() as stop:
        bench, end = bench_of(out, given, os.environ, stop, say)
        code = _code(end, stop)
    shown = _shown(out, bench, end)
    print_json(shown) if as_json else print_text("\n".join(_lines(out, bench, end)))
    leave(ctx, code)


def _code(end: BenchEnd, stop: Stop) -> int:
    if not end.stopped:
        return int(Exit.DONE)
    return int(getattr(stop, "exit", Exit.OPEN)) or int(Exit.OPEN)


def _shown(out: str, bench: Bench, end: BenchEnd) -> dict[str, Json]:
    return {
        "folder": out,
        "bench_id": bench.bench_id,
        "planned": end.planned,
        "made": end.made,
        "complete": not end.stopped,
        "skipped": [{"fault": each.fault, "why": each.why} for each in bench.skipped],
    }


def _lines(out: str, bench: Bench, end: BenchEnd) -> list[str]:
    lines = [f"{out}: {end.made} trials made, {end.planned} planned; {len(bench.task_ids)} tasks"]
    lines += [f"skipped: {each.fault}: {each.why}" for each in bench.skipped]
    if end.stopped:
        return [*lines, "told to stop: finished trials are kept; next: the same command again makes the missing ones"]
    return [*lines, f"next: denominator faultbench score {out}"]
