"""`explain`: the page behind a code."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, print_json, print_page, print_text
from denominator.cli.pages import add_prose, terminal_page
from denominator.errors import InputError


@click.command()
@click.argument("code", required=False)
@json_option
def explain(code: str | None, as_json: bool) -> None:
    """Explain CODE (or a rule's name), or list every code.

    \b
    Example: denominator explain GL001
    """
    from denominator.pipeline.catalog import all_entries, find_entries

    if code is None:
        rows = all_entries()
        if as_json:
            print_json([{"code": e.code, "name": e.name, "family": e.family, "title": e.title} for e in rows])
        else:
            family, name = (max(len(getattr(e, field)) for e in rows) for field in ("family", "name"))
            print_text("\n".join(f"{e.code:<7} {e.family:<{family}} {e.name:<{name}} {e.title}" for e in rows))
        return
    entries = find_entries(code)
    if as_json:
        (entry, *others) = entries
        if others:
            fix = f"name one of the codes: {', '.join(e.code for e in entries)}"
            raise InputError(f"{len(entries)} rules are called {code!r}", where="CODE", fix=fix)
        print_json(
            {"code": entry.code, "name": entry.name, "family": entry.family, "since": entry.since, "doc": entry.doc}
        )
    else:
        page = terminal_page()
        for entry in entries:
            if page.lines:
                page.lines.append("")
            page.item(f"{entry.code} {entry.name} ({entry.family}, since {entry.since})", 0)
            add_prose(page, entry.doc)
        print_page(page)
