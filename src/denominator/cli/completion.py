"""`completion`: the script that a shell evaluates."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from denominator.cli.output import print_text


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print shell completion.

    \b
    Example: denominator completion bash >> ~/.bashrc
    """
    from denominator.cli.main import cli

    maker = get_completion_class(shell)
    assert maker is not None
    for name in ("denominator", "denom"):
        print_text(maker(cli, {}, name, f"_{name.upper()}_COMPLETE").source())
