"""`published`: a score that somebody printed, reproduced and set beside our own run."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import brief_option, json_option, leave, note, print_json, print_page, print_text
from denominator.cli.places import default_envelope, opened, refuse_empty, runs_dir_option, runs_place, settings, typed

if TYPE_CHECKING:
    from denominator.compare.published import Claimed
    from denominator.pipeline.results import Result
    from denominator.records.published import Published, PublishedDiff
    from denominator.records.seals import Seal
    from denominator.wiring.running_cli import Options

FILE = click.Path(dir_okay=False, path_type=Path)
ANY = click.Path(path_type=Path)


@click.group()
def published() -> None:
    """Describe a published score, reproduce it, and set the fingerprints side by side before any number."""


@published.command("init", short_help="Write a published.toml to fill in.")
@click.argument("path", type=FILE, default="published.toml")
@json_option
def init(path: Path, as_json: bool) -> None:
    """Write a commented PATH; a file that exists is left alone.

    \b
    Example: denominator published init published.toml
    """
    from denominator.compare.published.template import TEMPLATE
    from denominator.errors import InputError

    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(TEMPLATE)
    except FileExistsError:
        raise InputError("the file exists and was left as it is", where=str(path), fix="choose another name") from None
    if as_json:
        print_json({"published": str(path)})
    else:
        print_text(f"{path}: written\nnext: denominator published run {path} --envelope envelope.toml")


@published.command("run", short_help="Run an envelope to reproduce the score; keep its fingerprint.")
@click.argument("path", type=FILE)
@click.option("--envelope", type=ANY, help="The envelope: every knob is in it (default: the one of the settings).")
@click.option("--arm", "label", help="Only the arm with this label.")
@click.option("--run-id", help="Name of the run (default: time and arm).")
@click.option("--no-sandbox", is_flag=True, help="Run without isolation; stamped on the card, capped at counts.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@runs_dir_option
@brief_option
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    path: Path,
    envelope: Path | None,
    label: str | None,
    run_id: str | None,
    no_sandbox: bool,
    quiet: bool,
    runs_dir: str | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Verify the clean checkout (3 times), run the envelope, keep fingerprint.json in the run's folder.

    Exit codes are those of `run`: 0 publishable, 1 blocked, 4 promises still open.

    \b
    Example: denominator published run published.toml --envelope envelope.toml
    """
    from denominator.envelopes import read_envelope
    from denominator.pipeline.published import read_published, refuse_few_verifies
    from denominator.wiring.running_cli import Options

    read_published(path)
    chosen, terms = settings(runs_dir), envelope or default_envelope()
    refuse_few_verifies(read_envelope(terms).run.baseline_repeats, str(terms))
    options = Options(
        envelopes=(terms,),
        label=label,
        run_id=run_id,
        unsandboxed=no_sandbox,
        runs_dir=Path(chosen.runs_dir),
        cache_dir=Path(chosen.cache_dir),
        argv=typed(),
    )
    leave(ctx, _carry_out(options, path, quiet=quiet, as_json=as_json, brief=brief))


def _carry_out(options: Options, path: Path, *, quiet: bool, as_json: bool, brief: bool) -> int:
    """Run every arm, keep the fingerprints, print the cards; the exit code."""
    from denominator.cli.progress import make_reporter
    from denominator.cli.running import close_at_the_end, exit_of, report
    from denominator.pipeline.published import write_fingerprint
    from denominator.wiring.running_cli import execute

    reporter = make_reporter(0, quiet)
    try:
        done, runs, results = execute(options, reporter)
        close_at_the_end(runs)
    finally:
        reporter.stop()
    code = exit_of(done, runs, results)
    report(done, runs, results, code, as_json=as_json, brief=brief)
    for one in runs:
        note(f"{write_fingerprint(one.folder.root, one.run_id, one.seal)}: written")
        note(f"next: denominator published diff {path} {one.run_id}")
    return int(code)


@published.command("diff", short_help="Fingerprints first, then one of five verdicts.")
@click.argument("path", type=ANY)
@click.argument("ours", nargs=-1, required=True)
@click.option("--map", "column_map", type=FILE, help="columns.toml for rows of any shape.")
@runs_dir_option
@json_option
@click.pass_context
def diff(
    ctx: click.Context, path: Path, ours: tuple[str, ...], column_map: Path | None, runs_dir: str | None, as_json: bool
) -> None:
    """Set OURS (a run, the folder of an import, or files of rows) beside PATH, a published.toml or published rows.

    Exit 0 inside or outside noise under one fingerprint; 3 not the same benchmark, unverifiable, or directional only;
    1 red on the clean checkout, or our own gate blocks; 2 unreadable or without a score.

    \b
    Example: denominator published diff published.toml 2026-11-29-oracle
    """
    from denominator.pipeline.published import diff as set_beside
    from denominator.records.published import Published

    theirs = _theirs(path)
    told = theirs if isinstance(theirs, Published) else None
    found = set_beside(theirs, *_ours(ours, column_map, runs_dir, told))
    _print(found, as_json=as_json)
    leave(ctx, found.exit)


def _theirs(path: Path) -> Published | Claimed:
    """The published side: a description that people wrote, or rows that somebody published."""
    from denominator.pipeline.published import claimed_rows, read_published, rows_of

    if path.suffix.lower() not in (".json", ".jsonl", ".ndjson", ".csv") and not path.is_dir():
        return read_published(path)
    report, result = rows_of([path], None, None)
    for line in report.lines():
        note(f"published: {line}")
    return claimed_rows(str(path), result)


def _ours(
    names: tuple[str, ...], column_map: Path | None, runs_dir: str | None, published: Published | None
) -> tuple[str, Result, Seal | None]:
    """Our side, with its seal where it is a run of ours."""
    from denominator.pipeline.published import rows_of
    from denominator.pipeline.results import judge_run, judge_saved

    first = names[0]
    refuse_empty(first)
    if len(names) == 1 and (Path(first) / "ledger.json").is_file():
        return first, judge_saved(Path(first)), None
    if len(names) == 1 and not _rows(first, runs_dir):
        found = opened(first, runs_dir)
        return found.run_id, judge_run(found), found.seal
    report, result = rows_of([Path(name) for name in names], column_map, published)
    for line in report.lines():
        note(line)
    return " ".join(names), result, None


def _rows(name: str, runs_dir: str | None) -> bool:
    """Is it a file, or a folder that is no run?"""
    if os.path.isfile(name):  # noqa: PTH113
        return True
    runs = (runs_place(runs_dir) / name, Path(name))
    return Path(name).is_dir() and not any((place / "seal.json").is_file() for place in runs)


def _print(found: PublishedDiff, *, as_json: bool) -> None:
    from denominator.cli.pages import terminal_page
    from denominator.publish.limits import limit_lines
    from denominator.publish.terminal.published import published_diff
    from denominator.wire.codec import to_json

    if as_json:
        print_json(to_json(replace(found, limits=limit_lines("M14"))))
        return
    page = terminal_page()
    published_diff(page, found)
    page.bullets("LIMITS", limit_lines("M14"))
    print_page(page)
