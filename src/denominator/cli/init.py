"""`init`: a first denominator.toml and envelope in this folder."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.config import print_config as show_config
from denominator.cli.envelope import agent_options, new_files, next_step, write_new
from denominator.cli.output import json_option, print_json, print_text

PROJECT = """\
# Defaults of this project: flag > environment (DENOMINATOR_RUNS_DIR ...) > this file > user file > built-in.
schema_version = 1
runs_dir = "runs"
envelope = "envelope.toml"
"""


@click.command()
@agent_options
@click.option("--print-config", is_flag=True, help="Show every setting, its value and where it comes from.")
@json_option
def init(agent: str | None, model: bool, print_config: bool, as_json: bool) -> None:
    """Write denominator.toml and envelope.toml into this folder; files that exist stay as they are.

    \b
    Example: denominator init --agent command
    """
    from denominator.wiring.settings import PROJECT_FILE

    if print_config:
        show_config(as_json=as_json)
        return
    path = Path("envelope.toml")
    written = write_new({Path(PROJECT_FILE): PROJECT, **new_files(path, agent, model)})
    if as_json:
        print_json(dict(written))
    else:
        print_text("\n".join(f"{name}: {what}" for name, what in written.items()))
        print_text(f"next: {next_step(path, agent)}")
