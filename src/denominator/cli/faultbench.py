"""`faultbench`: break a runner on purpose, and see what of its work is lost or done twice."""

from __future__ import annotations

import click

from denominator.cli.lazy import LazyGroup

V = "denominator.cli."
VERBS = {
    "list": (f"{V}faultbench_list:list_", "List checkpoints, kinds of faults, failpoints and controls."),
    "run": (f"{V}faultbench_run:run", "Run the trials of a fault plan against our runner or any command."),
    "score": (f"{V}faultbench_score:score", "Score a bench, or the journal of another runner: the gate and the card."),
}


@click.group(cls=LazyGroup, verbs=VERBS)
def faultbench() -> None:
    """Interrupt a runner at named points, let it go on, and count what is lost and what is done twice.

    \b
    Example: denominator faultbench run --quick -o bench
    """
