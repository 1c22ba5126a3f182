"""`shell`: a task opened by hand in the sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from denominator.cli.output import clean, leave, note


@click.command()
@click.argument("task")
@click.option("--pack", "pack_name", default="holdout16", show_default=True, help="Pack: a built-in name or a folder.")
@click.option("-c", "command", default="", help="Run one command instead of an interactive shell.")
@click.pass_context
def shell(ctx: click.Context, task: str, pack_name: str, command: str) -> None:
    """Open TASK in the sandbox as an agent would find it. Scratch: nothing of it is ever counted.

    \b
    Example: denominator shell billing-proration -c 'python3 -m unittest'
    """
    from denominator.cli.progress import LineReporter
    from denominator.errors import InputError
    from denominator.packs.find import find_pack
    from denominator.packs.load import load_pack
    from denominator.records.envelopes import SandboxTerms
    from denominator.wiring.shell import SCRATCH_STAMP, open_shell
    from denominator.wiring.world import a_world

    root = Path(find_pack(pack_name))
    known = [one.id for one in load_pack(root).pack.tasks]
    if task not in known:
        raise InputError(f"no task is called {task!r}", where=str(root), fix=f"one of: {', '.join(known)}")
    note(SCRATCH_STAMP)
    terms = SandboxTerms(backend="bubblewrap", network="none")
    with a_world(terms, LineReporter(), hidden=(root,)) as world:
        ended = open_shell(world, root / "tasks" / task, terms.python, command)
    if ended.start_error:
        raise InputError(f"the sandbox did not start: {ended.start_error}", fix="denominator doctor")
    if command:
        sys.stdout.write(clean(ended.stdout.decode("utf-8", "replace")))
        sys.stderr.write(clean(ended.stderr.decode("utf-8", "replace")))
    leave(ctx, ended.exit_code if ended.exit_code >= 0 else 128 + ended.signal)
