"""`envelope`: the conditions of a measurement."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.errors import Exit


@click.group()
def envelope() -> None:
    """Write and check the conditions of a measurement."""


@envelope.command("init")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), default="envelope.toml")
def init_envelope(path: Path) -> None:
    """Write a commented envelope to PATH; an existing file is left alone.

    \b
    Example: denominator envelope init A.toml
    """
    from denominator.envelopes import envelope_template
    from denominator.errors import InputError

    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(envelope_template())
    except FileExistsError:
        raise InputError("the file exists and was left as it is", where=str(path), fix="choose another name") from None
    print_text(f"{path}: written\nnext: fill in every REPLACE, then denominator envelope check {path}")


@envelope.command("check")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), default="envelope.toml")
@json_option
@click.pass_context
def check(ctx: click.Context, path: Path, as_json: bool) -> None:
    """List everything that PATH still lacks. Exit 2 when there is something.

    \b
    Example: denominator envelope check A.toml
    """
    from denominator.envelopes import complete, read_envelope

    problems = complete(read_envelope(path))
    if as_json:
        print_json([{"where": p.where, "what": p.what, "fix": p.fix} for p in problems])
    elif problems:
        print_text("\n".join(f"  - {problem}" for problem in problems) + f"\n{len(problems)} to fill in or mend")
    else:
        print_text(f"{path} is complete\nnext: denominator run {path}")
    leave(ctx, Exit.USAGE if problems else Exit.DONE)
