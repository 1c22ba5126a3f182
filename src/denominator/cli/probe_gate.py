"""`probe gate`: may an endpoint be used for this, as far as a probe can say? Every clause with its result."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import (
    format_chosen,
    format_option,
    json_option,
    leave,
    print_findings,
    print_json,
    print_page,
)

LEVELS = ("prototype", "ci", "internal", "production")


@click.command("gate")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--for", "level", required=True, type=click.Choice(LEVELS), help="What it is for.")
@format_option
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Also show the clauses that hold.")
@click.pass_context
def gate(ctx: click.Context, folder: Path, level: str, format_: str, as_json: bool, verbose: bool) -> None:
    """Judge the probe in FOLDER for one use: prototype, ci, internal (a tool of your own people) or production.

    Each use asks for all that the one before asks for: attempts and a malformed control; two windows, a p95 under the
    job's timeout and a fallback; an error budget; monitoring and a data policy. What only its owner knows stands under
    [use] in probe.toml; it is sealed with the first window, so what is declared later is another probe. Exit 0 when
    everything asked for is there, 1 when not, 2 for a probe that cannot be read.

    \b
    Example: denominator probe gate my-probe --for ci
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.probe_gating import about_probe, gated, gated_document
    from denominator.publish.terminal.probe_gate import gated_page

    form = format_chosen(format_, as_json)
    probe = gated(folder, level)
    if form == "json":
        print_json(gated_document(probe, level))
    elif form == "text":
        page = terminal_page()
        gated_page(page, probe.verdict, probe.word, probe.score, verbose)
        print_page(page)
    else:
        print_findings(probe.verdict.findings, form, about_probe(probe, level))
    leave(ctx, probe.verdict.exit)
