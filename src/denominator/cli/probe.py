"""`probe`: which promises an OpenAI-compatible endpoint keeps, how often, and within which time."""

from __future__ import annotations

import click

from denominator.cli.lazy import LazyGroup

V = "denominator.cli."
VERBS = {
    "init": (f"{V}probe_init:init", "Write a frozen fixture and probe.toml into a folder."),
    "run": (f"{V}probe_run:run", "Ask the endpoint every case of the fixture, and keep the bytes of every answer."),
    "score": (f"{V}probe_score:score", "Judge the stored bytes again, offline: one class for each attempt."),
    "show": (f"{V}probe_show:show", "Show the histogram, the times and one attempt of a probe."),
    "compare": (f"{V}probe_compare:compare", "Set two probes side by side, class for class, without an order."),
    "gate": (
        f"{V}probe_gate:gate",
        "Say whether a probe is enough for a prototype, for CI, internally, in production.",
    ),
}


@click.group(cls=LazyGroup, verbs=VERBS)
def probe() -> None:
    """Count which promises an endpoint keeps. It says nothing of reasoning or facts, and orders no models.

    \b
    Example: denominator probe init bench --url http://127.0.0.1:8080/v1 --model m
    """
