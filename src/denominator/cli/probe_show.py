"""`probe show`: what a probe found, on one page, or every attempt of one case."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, print_json, print_page


@click.command("show")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--case", "case_id", metavar="ID", default="", help="Only this case: what was asked, every attempt, and what came."
)
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write the report into this new file.")
@click.option("--all", "every", is_flag=True, help="Every miss, however many there are.")
@json_option
def show(folder: Path, case_id: str, html: Path | None, every: bool, as_json: bool) -> None:
    """Show the probe in FOLDER: sentences, counts by group, contradictions, times, every attempt that did not pass.

    What is stored is judged anew each time. --json prints the whole score as one document; --html writes one page that
    works offline, on paper and without a script.

    \b
    Example: denominator probe show my-probe --case unicode-emoji
             denominator probe show my-probe --html report.html
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.probe_evidence import opened
    from denominator.pipeline.probe_scoring import score_stored
    from denominator.pipeline.probe_showing import asked_case, case_document, shown_case, write_report
    from denominator.publish.probe_told import told_score
    from denominator.publish.terminal.probe import probe_page
    from denominator.publish.terminal.probe_case import case_page
    from denominator.wire.codec import to_json

    stored = opened(folder)
    score = score_stored(stored)
    page = terminal_page()
    if html is not None:
        write_report(html, score)
    if case_id:
        asked = asked_case(stored, case_id)
        attempts = shown_case(stored, score, case_id)
        if as_json:
            print_json(case_document(score, asked, attempts))
            return
        case_page(page, asked, attempts, score)
    elif as_json:
        print_json(to_json(told_score(score)))
        return
    else:
        probe_page(page, score, every=every)
    print_page(page)
