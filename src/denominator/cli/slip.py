"""`slip`: pin one number to what made it, and say who may be shown it."""

from __future__ import annotations

import click

from denominator.cli.lazy import LazyGroup

V = "denominator.cli."
VERBS = {
    "new": (f"{V}slip_new:new", "Make a slip of a run, of a kept import, or of a hand file."),
    "check": (f"{V}slip_check:check", "Say what moved between two slips; the difference only where nothing did."),
    "show": (f"{V}slip_show:show", "Show a slip, its tier, why it is no higher, and the line to copy."),
    "list": (f"{V}slip_list:list_", "List the slips beside the runs."),
    "guide": (f"{V}slip_guide:guide", "The procedure on one page: roles, steps, rule, scope."),
    "verdict": (f"{V}slip_verdict:verdict", "Append a score keeper's verdict, or revoke a slip."),
    "signoff": (f"{V}slip_signoff:signoff", "Append a quote reviewer's sign-off, or a rejection."),
}


@click.group(cls=LazyGroup, verbs=VERBS)
def slip() -> None:
    """Pin a number to its harness, model, budget, box and raw output, so that who reads it can check it.

    \b
    Example: denominator slip new 2026-11-29-oracle
             denominator slip show ab12cd34 --markdown
    """
