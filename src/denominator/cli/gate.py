"""`gate`: may the number be printed? Every clause with its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import (
    format_chosen,
    format_option,
    json_option,
    leave,
    note,
    print_findings,
    print_json,
    print_page,
)
from denominator.cli.places import LEDGER_FILES, folder_of, result_of, runs_dir_option
from denominator.errors import Exit, InputError

if TYPE_CHECKING:
    from denominator.pipeline.results import Result


@click.command()
@click.argument("run", required=False)
@runs_dir_option
@format_option
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Also show the clauses that hold.")
@click.option("--cite", is_flag=True, help="May it be cited? Its sealed rule, and every field that is missing for it.")
@click.option("--ci", is_flag=True, help="As a gate of a CI job: also exit 1 until two people agree on its labels.")
@click.pass_context
def gate(
    ctx: click.Context,
    run: str | None,
    runs_dir: str | None,
    format_: str,
    as_json: bool,
    verbose: bool,
    cite: bool,
    ci: bool,
) -> None:
    """Judge RUN (a run id, its folder, or the folder of an import; default: the latest run).

    A LEDGER.jsonl (rows in our own format beside its seal.json or terms.json) is judged in bounded memory.

    Exit 0 publishable, 1 blocked, 4 promises still open, 5 unknown state. With --cite: 0 citeable, 1 not, 2 fields missing.
    With --ci: 1 too while `review agreement` of this result is not shown to be reliable (50 rows that two labelled).

    \b
    Example: denominator gate 2026-11-29-oracle -v
             denominator gate --format github
             denominator gate --cite
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.finding import about_result
    from denominator.publish.terminal.verdict import verdict_page
    from denominator.wire.codec import to_json

    form = format_chosen(format_, as_json)
    result = result_of(run, runs_dir)
    verdict = result.judged.verdict
    if cite:
        leave(ctx, _cite(result, form))
    why = _unfit_for_ci(run, runs_dir, result) if ci else ""
    code = Exit.worst([int(result.exit), int(Exit.BLOCKED)]) if why else result.exit
    if form == "json":
        labels: dict[str, Any] = {"labels": {"reliable": not why, "why": why}} if ci else {}
        print_json({"verdict": to_json(verdict), **labels, "exit": int(code)})
    elif form == "text":
        page = terminal_page()
        verdict_page(page, verdict, result.judged.findings, verbose)
        print_page(page)
    else:
        print_findings(result.judged.findings, form, about_result(result, "gate"))
    if why:
        _say_unfit(why, result)
    leave(ctx, code)


def _unfit_for_ci(run: str | None, runs_dir: str | None, result: Result) -> str:
    """Why this result gates no CI job yet. Labels of people lie beside a run or an import, never beside a bare file."""
    from pathlib import Path

    from denominator.pipeline.label_gate import why_no_gate

    if run and run.endswith(LEDGER_FILES) and not Path(run).is_dir():
        fix = "name the run, or the folder of the import"
        raise InputError("labels of people are laid over whole runs, never over a file", where="--ci", fix=fix)
    kept = run is not None and (Path(run) / "ledger.json").is_file()
    return why_no_gate(Path(str(run)) if kept else folder_of(run, runs_dir).root, result)


def _say_unfit(why: str, result: Result) -> None:
    from denominator.pipeline.label_gate import NEXT

    note(f"gate --ci: {why}\n  next: {NEXT.format(name=result.ledger.run_id or 'RUN')}")


def _cite(result: Result, form: str) -> int:
    """Print whether it may be cited; other tools get the findings, and the exit code."""
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.citing import cite_result
    from denominator.pipeline.finding import about_result
    from denominator.publish.terminal.citation import citation_page
    from denominator.wire.codec import to_json

    citation, code = cite_result(result)
    if form == "json":
        print_json({"citation": to_json(citation), "exit": int(code)})
    elif form == "text":
        page = terminal_page()
        citation_page(page, citation)
        print_page(page)
    else:
        print_findings(result.judged.findings, form, about_result(result, "gate"))
    return int(code)
