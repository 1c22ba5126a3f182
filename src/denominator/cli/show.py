"""`show`: everything known about one task of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import json_option, note, print_json, print_text
from denominator.cli.places import opened, runs_dir_option

if TYPE_CHECKING:
    from collections.abc import Iterable


@click.command()
@click.argument("task")
@click.option("--run", "run_name", help="Run id or folder (default: the latest run).")
@runs_dir_option
@json_option
def show(task: str, run_name: str | None, runs_dir: str | None, as_json: bool) -> None:
    """Show events, patch, report and labels of every attempt at TASK.

    \b
    Example: denominator show page-count --run 2026-11-29-oracle
    """
    from denominator.pipeline.looking import show_task
    from denominator.pipeline.results import judge_run
    from denominator.pipeline.soundness import broken_chain

    run = opened(run_name, runs_dir)
    for one in broken_chain(run):
        note(f"UNKNOWN STATE, the journal was changed: {one}")
    found: dict[str, Any] = show_task(run, task, judge_run(run).judged.labels)
    if as_json:
        print_json(found)
        return
    print_text(f"{found['task_id']} in run {found['run_id']} (seal {found['seal'][:12]})")
    for attempt in found["attempts"]:
        print_text("\n".join(_lines(attempt)))


def _lines(attempt: dict[str, Any]) -> Iterable[str]:
    yield f"\nrepeat {attempt['repeat']}, attempt {attempt['attempt']}"
    for event in attempt["events"]:
        what = event.get("checkpoint") or event.get("stream") or ""
        facts = ", ".join(f"{k}={_short(v)}" for k, v in event["payload"].items() if v not in ("", [], {}))
        yield (f"  {event['seq']:>5}  {event['phase']:<8} {event['kind']} {what}  {facts}"[:400])
    for label in attempt["labels"]:
        yield (f"  label  {label['axis']} = {label['value']}  by {label['by']}: {label['why']}")
    for name, text in attempt["texts"].items():
        yield (f"  --- {name}\n{text}")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
