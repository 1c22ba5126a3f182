"""`import`: the rows of other harnesses, into the same ledger, gate and card."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import brief_option, json_option, leave, note, print_card, print_json


@click.group("import")
def importing() -> None:
    """Read the rows of other harnesses into the same ledger, gate and card."""


@importing.command("rows", short_help="Read rows of another harness as one run.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--map", "column_map", type=click.Path(dir_okay=False, path_type=Path), help="columns.toml for rows of any shape."
)
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows with this value (one arm of several).")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Keep ledger, terms and card in this new folder.")
@brief_option
@json_option
@click.pass_context
def rows(
    ctx: click.Context,
    paths: tuple[Path, ...],
    column_map: Path | None,
    where: tuple[str, ...],
    out: Path | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Read PATHS (files or one folder) as one run: rows and their companions, JSON, JSONL or CSV.

    The report says which shape was recognised and what was put aside. Exit 0 publishable, 1 blocked or not balanced,
    2 unreadable.

    \b
    Example: denominator import rows results/ --json
    """
    from denominator.pipeline.importing import import_paths
    from denominator.wire.codec import to_json

    report, result = import_paths(paths, column_map, where, out)
    if as_json:
        print_json({"report": to_json(report), "card": to_json(result.card), "exit": int(result.exit)})
    else:
        for line in report.lines():
            note(line)
        print_card(result.card, brief)
    leave(ctx, result.exit)
