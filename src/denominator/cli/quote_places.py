"""Arguments that the verbs of `quote` share."""

from __future__ import annotations

from pathlib import Path

import click

paths_argument = click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
slips_option = click.option(
    "--slips",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of slips (default: slips beside the runs).",
)


def slips_place(given: Path | None) -> Path:
    """The folder that was named, that of `[quote] slips`, or the one beside the runs. InputError: a named one is not there."""
    from denominator.cli.places import runs_place
    from denominator.errors import InputError
    from denominator.pipeline.slip_store import slips_beside
    from denominator.wiring.quoting import read_quote_settings

    settings, root = read_quote_settings(Path.cwd())
    named = given if given is not None else (root / settings.slips if settings.slips else None)
    if named is not None and not named.is_dir():
        raise InputError("there is no such folder of slips", where=str(named), fix="denominator slip new makes one")
    return named if named is not None else slips_beside(runs_place(None))
