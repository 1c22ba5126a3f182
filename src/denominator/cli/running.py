"""What `run`, `resume` and `demo` print when they end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from denominator.cli.output import note, print_card, print_json
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.pipeline.results import Result
    from denominator.pipeline.run import RunResult
    from denominator.pipeline.world import OpenRun


def report(
    done: RunResult, runs: Sequence[OpenRun], results: Sequence[Result], as_json: bool, brief: bool = False
) -> Exit:
    """Cards (or one JSON document), messages, and the exit code that wins."""
    from denominator.wire.codec import to_json

    exit_code = Exit.worst([int(done.exit), *(int(result.exit) for result in results)])
    if as_json:
        print_json(
            {
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
                "exit": int(exit_code),
            }
        )
    else:
        for result in results:
            print_card(result.card, brief)
    for message in done.messages:
        note(message)
    for run, result in zip(runs, results, strict=True):
        if result.exit == Exit.OPEN:
            note(f"{run.run_id}: promises are still open\n  next: denominator resume {run.run_id}")
    return exit_code
