"""`explain`: the page behind a code."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, print_json, print_text
from denominator.cli.pages import add_prose, terminal_page


@click.command()
@click.argument("code", required=False)
@json_option
def explain(code: str | None, as_json: bool) -> None:
    """Explain CODE (or a rule's name), or list every code.

    \b
    Example: denominator explain GL001
    """
    from denominator.pipeline.catalog import all_entries, find_entry

    if code is None:
        rows = all_entries()
        if as_json:
            print_json([{"code": e.code, "name": e.name, "family": e.family, "title": e.title} for e in rows])
        else:
            print_text("\n".join(f"{e.code:<7} {e.family:<10} {e.name:<32} {e.title}" for e in rows))
        return
    entry = find_entry(code)
    if as_json:
        print_json(
            {"code": entry.code, "name": entry.name, "family": entry.family, "since": entry.since, "doc": entry.doc}
        )
    else:
        page = terminal_page()
        page.item(f"{entry.code} {entry.name} ({entry.family}, since {entry.since})", 0)
        add_prose(page, entry.doc)
        print_text(page.text().removesuffix("\n"))
