"""`schema`: JSON Schemas of the formats that are read and written."""

from __future__ import annotations

import click

from denominator.cli.output import json_option, print_json, print_text


@click.command()
@click.argument("name", required=False)
@json_option
def schema(name: str | None, as_json: bool) -> None:
    """Print the JSON Schema of a format, or the names of all formats (--json: as a list).

    \b
    Example: denominator schema envelope > envelope.schema.json
    """
    from denominator.errors import InputError
    from denominator.wire.documents import DOCUMENTS
    from denominator.wire.schema import schema as make

    if name is None:
        print_json([*sorted(DOCUMENTS)]) if as_json else print_text("\n".join(sorted(DOCUMENTS)))
        return
    if name not in DOCUMENTS:
        from difflib import get_close_matches

        near = get_close_matches(name, DOCUMENTS, 1)
        raise InputError(
            f"no format is called {name!r}",
            fix=f"did you mean {near[0]}?" if near else f"one of {', '.join(sorted(DOCUMENTS))}",
        )
    print_json(make(DOCUMENTS[name]))
