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
    """Explain CODE (or a rule's name, or a word of a page: rung, slice, floor ...), or list every code.

    \b
    Example: denominator explain GL001
             denominator explain rung
    """
    from denominator.catalog.words import FAMILY, WORDS
    from denominator.pipeline.catalog import all_entries, find_entries

    if code is None:
        rows = all_entries()
        if as_json:
            print_json([{"code": e.code, "name": e.name, "family": e.family, "title": e.title} for e in rows])
        else:
            family, name = (max(len(getattr(e, field)) for e in rows) for field in ("family", "name"))
            print_text("\n".join(f"{e.code:<7} {e.family:<{family}} {e.name:<{name}} {e.title}" for e in rows))
            page = terminal_page()
            page.packed("words", WORDS)
            print_page(page)
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
            of_ours = entry.family == FAMILY
            head = (
                f"{entry.name} (a word)"
                if of_ours
                else f"{entry.code} {entry.name} ({entry.family}, since {entry.since})"
            )
            page.item(head, 0)
            add_prose(page, entry.doc)
        print_page(page)
