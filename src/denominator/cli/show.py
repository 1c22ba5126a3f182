"""`show`: everything known about one task of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import json_option, note, print_json, print_text
from denominator.cli.pages import terminal_page
from denominator.cli.places import opened, runs_dir_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denominator.pipeline.world import OpenRun

TRAJECTORY = "TASK --trajectory"
TOLD = ("agent.trajectory", "agent.atif")


@click.command()
@click.argument("task")
@click.option("--run", "run_name", help="Run id or folder (default: the latest run).")
@click.option("--trajectory", is_flag=True, help="Only what the agent told of itself, as ATIF with --json.")
@runs_dir_option
@json_option
def show(task: str, run_name: str | None, trajectory: bool, runs_dir: str | None, as_json: bool) -> None:
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
    if trajectory:
        _trajectories(run, task, as_json)
        return
    found: dict[str, Any] = show_task(run, task, judge_run(run).judged.labels)
    if as_json:
        print_json(found)
        return
    print_text(f"{found['task_id']} in run {found['run_id']} (seal {found['seal'][:12]})")
    for attempt in found["attempts"]:
        print_text("\n".join(_lines(attempt)))


def _trajectories(run: OpenRun, task: str, as_json: bool) -> None:
    from denominator.pipeline.trajectory_shown import task_trajectories
    from denominator.publish.terminal.trajectory import trajectory_lines

    told: dict[str, Any] = task_trajectories(run, task)
    if as_json:
        print_json(told)
        return
    print_text(f"{told['task_id']} in run {told['run_id']}")
    for one in told["trajectories"]:
        print_text("\n".join(trajectory_lines(one)))


def _lines(attempt: dict[str, Any]) -> Iterable[str]:
    """What was judged first, then what was written, then events and model calls in order. Digests are cut; `--json` has all."""
    yield f"\nrepeat {attempt['repeat']}, attempt {attempt['attempt']}"
    from denominator.publish.terminal.calls import call_lines

    page = terminal_page()
    for label in attempt["labels"]:
        page.item(f"label  {label['axis']} = {label['value']}  by {label['by']}: {label['why']}", hang=7)
    for sign in _signs(attempt["labels"]):
        page.item(sign, hang=7)
    yield from page.lines
    texts = attempt["texts"]
    for name, text in texts.items():
        if name == "verify.graded":
            yield f"\n  --- {name}\n{_report(text, attempt['events'])}"
        elif name.startswith(TOLD):
            yield f"\n  --- {name}: denominator show {TRAJECTORY}"
        elif name != "agent.patch" or "agent.diff" not in texts:
            yield f"\n  --- {name}\n{text.rstrip()}"
    yield "\n  --- events"
    page = terminal_page()
    for event in attempt["events"]:
        what = event.get("checkpoint") or event.get("stream") or ""
        facts = ", ".join(
            f"{k}={_short(v)}" for k, v in event["payload"].items() if v not in ("", [], {}) and v is not False
        )
        page.item(f"{event['seq']:>5}  {event['phase']:<8} {event['kind']} {what}".rstrip() + f"  {facts}", hang=16)
    yield from page.lines
    if attempt["calls"]:
        yield "\n  --- calls"
        page = terminal_page()
        call_lines(page, attempt["calls"])
        yield from page.lines


def _signs(labels: Iterable[dict[str, Any]]) -> Iterable[str]:
    """What gave tampering away, and forbidden places that were named; each once, whichever labels quote it."""
    quoted = {shown["ref"]: shown["quote"] for label in labels for shown in label["evidence"]}
    for ref, words in (("gave_away", "gave it away"), ("looked_beyond", "looked beyond its task")):
        if quoted.get(ref, "none") != "none":
            yield f"{words}: {quoted[ref]}"


def _report(text: str, events: Iterable[dict[str, Any]]) -> str:
    """Test by test; what has to fail says so. A report of another shape stays as it is."""
    from denominator.publish.graded import graded_text

    expected = {name for event in events if event["kind"] == "graded" for name in event["payload"].get("expected", ())}
    return graded_text(text, expected)


def _short(value: object) -> str:
    if isinstance(value, str) and len(value) == 64:
        return value[:12]
    text = f"({len(value)})" if isinstance(value, dict | list) and len(str(value)) > 60 else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
