"""`probe score`: judge the stored bytes again, and say whether the stored score is what they give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from denominator.cli.output import json_option, leave, note, print_json, print_page


@click.command("score")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@json_option
@click.pass_context
def score(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Judge the bytes stored in FOLDER again, without asking anybody, and write score.json.

    The same bytes give the same file. One that does not follow from them is kept and named; one of an older classifier
    is replaced, with every attempt that moved. With redacted bodies the classes are those heard at the time.
    Exit 0, 1 where passes are withheld or score.json does not follow from the bytes, 2 for stored parts that are
    missing or changed, 4 while planned attempts were never asked.

    \b
    Example: denominator probe score my-probe
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.probe_scoring import KEPT, rescore
    from denominator.publish.probe_told import told_score
    from denominator.publish.terminal.probe import score_page
    from denominator.wire.codec import to_json

    found = rescore(folder)
    told = f"score.json: {found.file}{f', {found.why}' if found.why else ''}"
    if as_json:
        ends: dict[str, Any] = {"file": found.file, "why": found.why, "exit": int(found.exit)}
        print_json({"score": to_json(told_score(found.score)), "moved": list(found.moved), **ends})
    else:
        page = terminal_page()
        score_page(page, found.score, told, found.moved)
        print_page(page)
    if found.file == KEPT:
        note(f"{told}; it stays as it is: move it away and score again")
    leave(ctx, found.exit)
