"""`completion`: the script that a shell evaluates."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from denominator.cli.output import json_option, print_json, print_text


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
def completion(shell: str, as_json: bool) -> None:
    """Print shell completion.

    \b
    Example: denominator completion bash >> ~/.bashrc
    """
    from denominator.cli.main import cli

    maker = get_completion_class(shell)
    assert maker is not None
    names = ("denominator", "denom")
    script = "\n".join(maker(cli, {}, name, f"_{name.upper()}_COMPLETE").source() for name in names)
    print_json({"shell": shell, "script": script}) if as_json else print_text(script)
