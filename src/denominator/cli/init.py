"""`init`: a first denominator.toml and envelope in this folder."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.config import print_config as show_config
from denominator.cli.output import json_option, print_json, print_text

PROJECT = """\
# Defaults of this project: flag > environment (DENOMINATOR_RUNS_DIR ...) > this file > user file > built-in.
schema_version = 1
runs_dir = "runs"
envelope = "envelope.toml"
"""


@click.command()
@click.option("--print-config", is_flag=True, help="Show every setting, its value and where it comes from.")
@json_option
def init(print_config: bool, as_json: bool) -> None:
    """Write denominator.toml and envelope.toml into this folder; files that exist stay as they are.

    \b
    Example: denominator init && denominator seal envelope.toml
    """
    from denominator.envelopes import envelope_template
    from denominator.wiring.settings import PROJECT_FILE

    if print_config:
        show_config(as_json=as_json)
        return
    written: dict[str, str] = {}
    for name, text in ((PROJECT_FILE, PROJECT), ("envelope.toml", envelope_template())):
        path = Path(name)
        try:
            with path.open("x", encoding="utf-8") as out:
                out.write(text)
            written[name] = "written"
        except FileExistsError:
            written[name] = "exists, left as it is"
    if as_json:
        print_json(dict(written))
    else:
        print_text("\n".join(f"{name}: {what}" for name, what in written.items()))
        print_text("next: fill in envelope.toml, then denominator run")
