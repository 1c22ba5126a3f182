"""What `run`, `resume` and `demo` print when they end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import note, print_card, print_json, print_text
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.pipeline.results import Result
    from denominator.pipeline.run import RunResult
    from denominator.pipeline.world import OpenRun


def close_at_the_end(runs: Sequence[OpenRun]) -> None:
    """Close the journals when the verb ends: what lies beside them goes into their files, so that no reader has to do it."""
    for run in runs:
        click.get_current_context().call_on_close(run.journal.close)


def exit_of(done: RunResult, runs: Sequence[OpenRun], results: Sequence[Result]) -> Exit:
    """The exit code that wins. A scratch run is never counted, so that its card is blocked is no failure."""
    from denominator.pipeline.results import is_scratch

    judged = [
        int(Exit.DONE if is_scratch(run.run_id) and result.exit == Exit.BLOCKED else result.exit)
        for run, result in zip(runs, results, strict=True)
    ]
    return Exit.worst([int(done.exit), *judged])


def report(
    done: RunResult,
    runs: Sequence[OpenRun],
    results: Sequence[Result],
    code: Exit,
    *,
    as_json: bool,
    brief: bool = False,
) -> None:
    """Cards and, for several arms, a summary (or one JSON document); then messages and the next command."""
    from denominator.pipeline.results import is_scratch
    from denominator.publish.summary import summary_lines

    if as_json:
        print_json(_document(done, runs, results, code))
    else:
        for run, result in zip(runs, results, strict=True):
            print_text("\n".join(scratch_lines(result))) if is_scratch(run.run_id) else print_card(result.card, brief)
        if len(results) > 1 and not is_scratch(runs[0].run_id):
            print_text("\n".join(summary_lines([result.card for result in results])))
            note(f"no arm is compared here\n  next: denominator compare {' '.join(run.run_id for run in runs)}")
    for message in done.messages:
        note(message)
    for run, result in zip(runs, results, strict=True):
        if result.exit == Exit.OPEN:
            note(f"{run.run_id}: promises are still open\n  next: denominator resume {run.run_id}")


def scratch_lines(result: Result) -> Iterator[str]:
    """How the attempts of a scratch run ended. It has no card to show: nothing of it is counted."""
    yield f"{result.ledger.run_id}: SCRATCH, never counted"
    for row in result.ledger.rows:
        yield f"  {row.key.task_id}  {row.stop_reason!s}"
    yield f"next: denominator show TASK --run {result.ledger.run_id}"


def _document(done: RunResult, runs: Sequence[OpenRun], results: Sequence[Result], code: Exit) -> dict[str, Any]:
    from denominator.wire.codec import to_json

    return {
        "runs": [
            {
                "run_id": run.run_id,
                "folder": str(run.folder.root),
                "exit": int(result.exit),
                "card": to_json(result.card),
            }
            for run, result in zip(runs, results, strict=True)
        ],
        "why": done.why,
        "exit": int(code),
    }


def note_kept(runs: Sequence[OpenRun]) -> None:
    """Where the workspaces of a scratch run are."""
    for run in runs:
        for folder in sorted(run.folder.work.glob("*")) if run.folder.work.is_dir() else []:
            graded = folder / "applied"
            note(f"kept: {graded if graded.is_dir() else folder}")
        note("`denominator runs gc` removes what was kept")


def dry_lines(shown: Mapping[str, Any]) -> Iterator[str]:
    """What `--dry-run` found, for people."""
    yield f"pack {shown['pack']}, {shown['tasks']} tasks"
    for arm in shown["arms"]:
        yield (
            f"arm {arm['arm']}: {arm['draws']} draws, at most {_amount(arm['attempts_max'])} attempts, "
            f"{_amount(arm['tokens_max'])} tokens, order {arm['order'][:16]}"
        )


def _amount(value: Any) -> str:
    return f"an unknown number of ({value['not_measured']})" if isinstance(value, dict) else str(value)
