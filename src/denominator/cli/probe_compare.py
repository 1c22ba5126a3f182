"""`probe compare`: probes side by side, class for class, when everything but the endpoint was the same."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, print_json, print_page


@click.command("compare")
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@json_option
@click.pass_context
def compare(ctx: click.Context, folders: tuple[Path, ...], as_json: bool) -> None:
    """Set the probes in FOLDERS side by side, in this order: k/n for each class, group and window.

    They must have the same fixture, client, classifier, path and window rule; url and model are what may differ.
    There is no total and no order. Exit 0 comparable, 1 when passes of a side are withheld, 2 unusable,
    3 not comparable, with every difference.

    \b
    Example: denominator probe compare probe-a probe-b
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.probe_comparing import compare_folders, exit_of
    from denominator.publish.terminal.probe_compare import comparison_page
    from denominator.wire.codec import to_json

    found = compare_folders(folders)
    code = exit_of(found)
    if as_json:
        print_json({"comparison": to_json(found), "exit": int(code)})
    else:
        page = terminal_page()
        comparison_page(page, found)
        print_page(page)
    leave(ctx, code)
