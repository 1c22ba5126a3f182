"""`shell`: a task opened by hand in the sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from denominator.cli.output import json_option, leave, note, print_json, print_raw
from denominator.cli.places import settings


@click.command()
@click.argument("task")
@click.option("--pack", "pack_name", default="holdout16", show_default=True, help="Pack: a built-in name or a folder.")
@click.option("-c", "command", default="", help="Run one command instead of an interactive shell.")
@json_option
@click.pass_context
def shell(ctx: click.Context, task: str, pack_name: str, command: str, as_json: bool) -> None:
    """Open TASK in the sandbox as an agent would find it. Scratch: nothing of it is ever counted.

    Without a terminal the commands are read from stdin. The exit code is that of the shell or of the command, 128 + N
    when signal N ended it, 2 when it could not start.

    \b
    Example: denominator shell page-count -c 'python3 -m unittest'
    """
    from difflib import get_close_matches

    from denominator.cli.progress import LineReporter
    from denominator.errors import InputError
    from denominator.packs.find import find_pack
    from denominator.packs.layout import TASKS
    from denominator.packs.load import load_pack
    from denominator.records.envelopes import SandboxTerms
    from denominator.wire.names import safe_name
    from denominator.wiring.shell import SCRATCH_STAMP, open_shell
    from denominator.wiring.world import a_world

    command = command or _typed_ahead()
    if as_json and not command:
        raise InputError("an interactive shell has no JSON", where="--json", fix="name a command with -c")
    root = Path(find_pack(pack_name))
    known = [one.id for one in load_pack(root).pack.tasks]
    if task not in known:
        near = ", ".join(get_close_matches(task, known, 3) or known)
        raise InputError(f"no task is called {task!r}", where=str(root), fix=f"one of: {near}")
    note(SCRATCH_STAMP)
    terms = SandboxTerms(backend="bubblewrap", network="none", python=settings().python)
    with a_world(terms, LineReporter(), hidden=(root,)) as world:
        ended = open_shell(world, root / TASKS / safe_name(task), terms.python, command)
    if ended.start_error:
        raise InputError(f"the sandbox did not start: {ended.start_error}", fix="denominator doctor")
    code = ended.exit_code if ended.exit_code >= 0 else 128 + ended.signal
    out, err = (data.decode("utf-8", "replace") for data in (ended.stdout, ended.stderr))
    if as_json:
        print_json({"exit": code, "stdout": out, "stderr": err})
    elif command:
        print_raw(out)
        note(err.removesuffix("\n")) if err else None
    leave(ctx, code)


def _typed_ahead() -> str:
    """The commands on stdin when that is no terminal; nobody is asked for any."""
    if sys.stdin is None:
        return ":"
    return "" if sys.stdin.isatty() else sys.stdin.read() or ":"
