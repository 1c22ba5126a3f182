"""`quote fix`: definitions and tooltips for tags; no number is ever edited."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.cli.quote_places import paths_argument, slips_option, slips_place

if TYPE_CHECKING:
    from denominator.pipeline.quote_fixing import Fixed
    from denominator.records.events import Json


@click.command("fix")
@paths_argument
@slips_option
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@json_option
@click.pass_context
def fix(ctx: click.Context, paths: tuple[Path, ...], slips: Path | None, dry_run: bool, as_json: bool) -> None:
    """Write a definition with a tooltip for every bracketed tag of the Markdown files in PATHS.

    The tooltip holds the number, its interval and the footnote of its tier; one that is out of date is renewed. Nothing
    else of a file moves.

    \b
    Example: denominator quote fix README.md
    """
    from denominator.pipeline.quote_checking import files_in
    from denominator.pipeline.quote_fixing import fix_file, write_fixed
    from denominator.pipeline.quote_slips import slips_in

    folder = slips_place(slips)
    found, _ = slips_in(folder)
    fixed = [one for one in (fix_file(path, found, folder) for path in files_in(paths)) if one is not None]
    for one in [] if dry_run else fixed:
        write_fixed(one)
    if as_json:
        print_json({"fixed": [_row(one) for one in fixed], "written": not dry_run})
    else:
        lines = [
            f"{one.path}: added {', '.join(one.added) or '-'}; renewed {', '.join(one.renewed) or '-'}" for one in fixed
        ]
        print_text("\n".join(lines) or "nothing to fix")
    leave(ctx, 0)


def _row(one: Fixed) -> dict[str, Json]:
    return {"path": str(one.path), "added": [*one.added], "renewed": [*one.renewed]}
