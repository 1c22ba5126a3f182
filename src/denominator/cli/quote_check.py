"""`quote check`: does every rate of these documents cite a slip, and say what the slip says?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import (
    format_chosen,
    format_option,
    json_option,
    leave,
    note,
    print_findings,
    print_json,
    print_text,
)
from denominator.cli.quote_places import paths_argument, slips_option, slips_place

if TYPE_CHECKING:
    from denominator.pipeline.quote_checking import Asked, Outcome


@click.command("check")
@paths_argument
@slips_option
@click.option("--strict", is_flag=True, help="Every percentage is a result, whatever the words beside it.")
@click.option("--changed-since", metavar="REF", help="Only findings of sentences that differ from this commit.")
@click.option("--baseline", type=click.Path(path_type=Path), help="Findings that are known; only new ones are shown.")
@click.option(
    "--write-baseline", type=click.Path(path_type=Path), help="Write what is found as a baseline, and exit 0."
)
@format_option
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[Path, ...],
    slips: Path | None,
    strict: bool,
    changed_since: str | None,
    baseline: Path | None,
    write_baseline: Path | None,
    format_: str,
    as_json: bool,
) -> None:
    """Check the documents in PATHS against slips: values, counts, tiers, ages, footnotes, comparisons.

    Says what it looked for and how many of each it saw. Exit 0 without findings, 1 with some, 2 where a file or a slip
    cannot be read. Rules: denominator explain Q001 to Q013; settings: [quote] in denominator.toml.

    \b
    Example: denominator quote check README.md deck.pptx --slips slips
    """
    from denominator.pipeline.quote_baseline import written
    from denominator.pipeline.quote_checking import check_files, files_in
    from denominator.pipeline.quote_slips import slips_in

    form = format_chosen(format_, as_json)
    found, broken = slips_in(slips_place(slips))
    files = files_in(paths)
    outcome = check_files(files, found, _asked(files, strict, changed_since, baseline))
    if write_baseline is not None:
        from denominator.wire.durable import write_file

        write_file(write_baseline, written(outcome.noted))
    _print(outcome, form)
    for error in (*broken, *outcome.failed):
        note(f"denominator: {error}")
    stopped = 0 if write_baseline is not None and not outcome.failed else int(outcome.exit)
    leave(ctx, max(stopped, 2) if broken else stopped)


def _asked(files: list[Path], strict: bool, changed_since: str | None, baseline: Path | None) -> Asked:
    from denominator.adapters.clock import SystemClock
    from denominator.pipeline.quote_baseline import read_baseline
    from denominator.pipeline.quote_changes import changes_since
    from denominator.pipeline.quote_checking import Asked
    from denominator.wiring.quoting import read_quote_settings

    settings, root = read_quote_settings(Path.cwd())
    return Asked(
        settings=settings,
        root=Path(os.path.abspath(root)),  # noqa: PTH100
        today=SystemClock().wall()[:10],
        strict=strict,
        changes=None if changed_since is None else changes_since(changed_since, files),
        known=None if baseline is None else read_baseline(baseline),
    )


def _print(outcome: Outcome, form: str) -> None:
    from denominator._version import __version__
    from denominator.pipeline.quote_checking import about, counts, findings_of, summary

    if form == "json":
        from denominator.pipeline.quote_document import document_of

        return print_json(document_of(outcome))
    if form == "text":
        lines = [*(one.line for one in outcome.noted), *counts(outcome), summary(outcome)]
        return print_text("\n".join(lines))
    print_findings(findings_of(outcome), form, about(outcome, __version__))
    return None
